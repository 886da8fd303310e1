# Spectral hashing: more bits than columns, the same in every run, a model that predict takes.
blobs 90 > blobs.csv
"$imsat" hash blobs.csv --label-column 4 -b 10 --method spectral-hash --runs 2 -q -o model --codes codes.npy |
    sed -e 's/, [0-9.]* s$/, X s/'
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp codes.npy again.npy
"$imsat" info model | grep '^ *net\.'
