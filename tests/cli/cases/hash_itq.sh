# Iterative quantization: rounds in the report, a model that predict takes, no network's options,
# and no more bits than columns.
blobs 90 > blobs.csv
"$imsat" hash blobs.csv --label-column 4 -b 3 --method itq --runs 2 -q -o model --codes codes.npy |
    sed -e 's/, [0-9.]* s$/, X s/'
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp codes.npy again.npy
"$imsat" hash blobs.csv --label-column 4 -b 3 --method itq --hidden 5
"$imsat" hash blobs.csv --label-column 4 -b 5 --method itq
