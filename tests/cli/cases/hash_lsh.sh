# Random planes: any number of bits, nothing to iterate, a model that predict takes.
blobs 90 > blobs.csv
"$imsat" hash blobs.csv --label-column 4 -b 20 --method lsh --runs 2 -q -o model --codes codes.npy |
    sed -e 's/, [0-9.]* s$/, X s/'
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp codes.npy again.npy
"$imsat" hash blobs.csv --label-column 4 -b 20 --method lsh --iterations 5
