# Files that hold no codes, and codes that are not as they were said to be.
codes codes.npy 3 2 128 32 255 224 1 0
codes wide.npy 1 3 1 2 3
codes short.npy 3 2 1 2 3
codes flat.npy 1 1 1
{ npy_header '|u1' '(6,)'; bytes 1 2 3 4 5 6; } > flat.npy
{ npy_header '|i1' '(2, 3)'; bytes 0 1 0 1 1 1; } > bits.npy
{ npy_header '<f4' '(1, 1)'; bytes 0 0 128 63; } > float.npy
npy_header '|u1' '(0, 2)' > empty.npy
{ npy_header '|u1' '(1, 129)'; head -c 129 /dev/zero; } > long.npy
echo 0101 > text.txt
try index codes.npy --bits 10 -o index
try index codes.npy --bits 11 --bit-order lsb -o index
try index codes.npy --bits 17 -o index
try index codes.npy --bits 1025 -o index
try index codes.npy wide.npy -o index
for file in short flat bits float empty long none; do try index $file.npy -o index; done
try index text.txt -o index
try export codes.npy --bits 10 --to faiss -o out
rm ./*.npy text.txt
