# Wrong lines, and what a database would not take; no file is left.
codes codes.npy 3 2 128 32 255 224 1 0
printf '1\n2\n' > two.txt
printf '1\n2\n1\n' > twice.txt
try export codes.npy -o out
try export codes.npy --to postgres
try export codes.npy --to mysql -o out
try export codes.npy --to postgre -o out
try export codes.npy --to faiss --table t -o out
try export codes.npy --to sqlite --table 'a"b' -o out
try export codes.npy --to postgres --table '1st' -o out
try export codes.npy --to sqlite --ids two.txt -o out
try export codes.npy --to sqlite --ids twice.txt -o out
try export --to sqlite -o out
try export codes.npy --to sqlite -o no/folder
rm two.txt twice.txt codes.npy
