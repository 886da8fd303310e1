# Normals: their own options, a model that predict takes.
blobs 90 > blobs.csv
for kind in full tied diagonal; do
    "$imsat" cluster blobs.csv --label-column 4 -k 3 --method gmm --covariance $kind -q -o model --labels labels.npy |
        grep -E '^(method|ACC)'
    "$imsat" predict model blobs.csv --label-column 4 -o again.npy
    cmp labels.npy again.npy
done
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method gmm --covariance round
"$imsat" cluster blobs.csv --label-column 4 -k 3 --method kmeans --covariance tied
