# Every kind of damage is found before an answer is given.
{ npy_header '|u1' '(300, 2)'; seq 300 | awk '{ printf "%c%c", 33 + $1 % 90, 33 + int($1 / 4) }'; } > codes.npy
"$imsat" index codes.npy -o index > /dev/null
size=$(wc -c < index)
for at in 3 20 $((size / 2)) $((size - 1)); do
    cp index flipped
    flip flipped "$at"
    try search flipped codes.npy -o ids.npy
done
head -c $((size - 1)) index > cut
try search cut codes.npy -o ids.npy
head -c 300 index > cut
try search cut codes.npy -o ids.npy
sed 's/imsat-index-1/imsat-index-2/' index > newer
try search newer codes.npy -o ids.npy
try info newer
small model
try search model codes.npy -o ids.npy
try search codes.npy codes.npy -o ids.npy
: > empty
try search empty codes.npy -o ids.npy
cp flipped kept
try index --append codes.npy -o flipped
cmp flipped kept
rm -f index cut newer model blobs.csv codes.npy empty
