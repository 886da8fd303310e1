# K-means: its own numbers in the report, a model that predict takes, and no network's options.
blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method kmeans --runs 2 -q -o model --labels labels.npy |
    sed -e 's/, [0-9.]* s$/, X s/' -e 's/  [0-9]*\.[0-9]*  /  X  /'
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp labels.npy again.npy
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method kmeans -q --json | grep -E '"(method|epochs|sat|hidden|mu)"' |
    sed 's/[0-9][0-9]*/N/'
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method kmeans --hidden 5
"$imsat" cluster blobs.csv --label-column 4 -k 3 --restarts 5
