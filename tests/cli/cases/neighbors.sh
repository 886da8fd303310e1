# A radius file gives the model that computing the radius gives.
small computed --proba computed.npy
"$imsat" neighbors blobs.csv --label-column 4 -q -o radius.npy
small read --radius radius.npy --proba read.npy
cmp computed read
cmp computed.npy read.npy
"$imsat" neighbors blobs.csv --label-column 4 -t 2 -q -o other.npy
small other --radius other.npy --proba unlike.npy
cmp -s computed.npy unlike.npy || echo "another radius, another model"
# Distances by hand: 0, 3 and 5 on a line.
printf '0\n3\n5\n' > line.csv
"$imsat" neighbors line.csv --no-center -t 1
"$imsat" neighbors line.csv --no-center -t 2
"$imsat" neighbors line.csv --no-center --scale 10 -t 9
