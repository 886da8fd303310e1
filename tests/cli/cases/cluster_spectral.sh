# The graph of neighbors: its own option, a model that predict takes and that keeps few rows.
blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method spectral -q -o model --labels labels.npy |
    sed -e 's/, [0-9.]* s$/, X s/'
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp labels.npy again.npy
"$imsat" info model | grep -E '^(net|option.graph)'
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method spectral --graph-neighbors 0
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method gmm --graph-neighbors 5
