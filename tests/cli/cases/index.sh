# An index is made, asked, added to, and taken from.
codes codes.npy 4 2 0 0 255 255 240 0 0 15
codes more.npy 2 2 0 1 255 254
try index codes.npy -o index
try info index
echo 0000000000000000 | "$imsat" search index - -n 9
try index --append more.npy -o index
echo 0000000000000000 | "$imsat" search index - -n 2
printf '0\n3\n' > ids.txt
try index --delete ids.txt -o index
echo 0000000000000000 | "$imsat" search index - -n 4
# Ids of all 64 bits; deleted and added in one step.
printf '9223372036854775807\n-9223372036854775808\n7\n9007199254740993\n' > own.txt
try index codes.npy --ids own.txt -o own
printf '7\n' > seven.txt
printf '8\n7\n' > again.txt
try index --delete seven.txt --append more.npy --ids again.txt -o own
echo 1111111111111111 | "$imsat" search own - -n 5
# Files are joined, and the bits of the index are those of what is added.
codes short.npy 1 2 128 32
try index short.npy short.npy --bits 11 -o eleven
try index --append short.npy -o eleven
echo 10000000001 | "$imsat" search eleven - -r 0
try info eleven --json
rm ./*.npy ./*.txt
