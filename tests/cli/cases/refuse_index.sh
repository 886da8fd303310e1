# Wrong lines, wrong ids, and changes that cannot be made.
codes codes.npy 3 2 128 32 255 224 1 0
codes wide.npy 1 3 1 2 3
"$imsat" index codes.npy -o index > /dev/null
cp index old
try index codes.npy
try index -o index
try index --append -o index
try index codes.npy --delete ids.txt -o index
try index --delete ids.txt --ids ids.txt -o index
try index codes.npy --bits 0 -o index
try index codes.npy --bit-order big -o index
printf '1\n2\n' > two.txt
printf '1\n2\n1\n' > twice.txt
printf '1\nx\n3\n' > word.txt
printf '5\n-1\n3\n' > minus.txt
printf '1\n9\n' > other.txt
printf '0\n7\n8\n' > taken.txt
: > empty.txt
for ids in two twice word minus empty none; do try index codes.npy --ids $ids.txt -o index; done
try index --delete other.txt -o index
try index --append codes.npy --ids taken.txt -o index
try index --append wide.npy -o index
try index --append codes.npy --bits 11 -o index
try index --append codes.npy -o none
cp codes.npy none.npy
try index --append codes.npy -o none.npy
try index codes.npy -o no/folder
try index codes.npy -o .
cmp old index
rm ./*.txt ./*.npy
