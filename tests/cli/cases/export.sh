# What other programs load, and how.
codes codes.npy 3 2 128 32 255 224 1 0
printf '7\n-2\n1099511627776\n' > ids.txt
try export codes.npy --to faiss -o flat
od -An -v -tx1 flat
try export codes.npy --bits 11 --ids ids.txt --to faiss -o map
od -An -v -tx1 map
try export codes.npy --bits 11 --to postgres -o copy
cat copy
try export codes.npy --ids ids.txt --to postgres --table Own -o "it's"
cat "it's"
try export codes.npy codes.npy --bits 11 --to sqlite -o sql
cat sql
try export codes.npy --bit-order lsb --to sqlite --table 'own' -o "it's"
cat "it's"
