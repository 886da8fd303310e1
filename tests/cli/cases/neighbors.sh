# A radius file gives the model that computing the radius gives.
small computed
"$imsat" neighbors blobs.csv --label-column 4 -q -o radius.npy
small read --radius radius.npy
cmp computed read
"$imsat" neighbors blobs.csv --label-column 4 -t 2 -q -o other.npy
small other --radius other.npy
cmp -s computed other || echo "another radius, another model"
# Distances by hand: 0, 3 and 5 on a line.
printf '0\n3\n5\n' > line.csv
"$imsat" neighbors line.csv --no-center -t 1
"$imsat" neighbors line.csv --no-center -t 2
"$imsat" neighbors line.csv --no-center --scale 10 -t 9
