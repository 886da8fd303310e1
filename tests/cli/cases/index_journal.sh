# What is added goes behind the end of the file, is found, is merged now and then, and is looked
# after when it was cut short or damaged.
{ npy_header '|u1' '(300, 2)'; seq 300 | awk '{ printf "%c%c", 33 + $1 % 90, 33 + int($1 / 4) }'; } > codes.npy
codes more.npy 3 2 0 0 0 1 255 255
"$imsat" index codes.npy -o index
size=$(wc -c < index)
cp index base
try index --append more.npy -o index
echo "$(($(wc -c < index) - size)) bytes more"
head -c "$size" index | cmp - base
"$imsat" info index
"$imsat" info index --json
echo 0000000000000001 | "$imsat" search index - -n 4
# The same answers as of an index that was made at once.
"$imsat" index codes.npy more.npy -o whole
"$imsat" search index codes.npy -n 20 -o a.npy
"$imsat" search whole codes.npy -n 20 -o b.npy
cmp a.npy b.npy
# An append that was cut short is not there, and the next one takes its place.
cp index good
for cut in 1 8 9 100 192; do
    head -c $(($(wc -c < good) - cut)) good > index
    "$imsat" search index codes.npy -n 20 -o a.npy
    "$imsat" info index | head -1
    "$imsat" index --append more.npy -o index
    cmp index good
done
# One that is damaged is not passed over.
cp good index
flip index $((size + 80))
try search index codes.npy -n 20 -o a.npy
cp good index
flip index $((size + 180))
try index --append more.npy -o index
# The next record is the one too many.
cp good index
codes many.npy 72 2 $(seq 144)
try index --append many.npy -o index
"$imsat" info index
try index --append more.npy -o index
"$imsat" info index
"$imsat" index codes.npy more.npy many.npy more.npy -o whole
cmp index whole
# Deleting merges, too.
"$imsat" index --append more.npy -o index
printf '0\n380\n' > ids.txt
try index --delete ids.txt -o index
"$imsat" info index
rm -f ./*.npy base good ids.txt
