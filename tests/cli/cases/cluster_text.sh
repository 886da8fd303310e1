blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 8 --epochs 60 --runs 2 -o model \
    --labels labels.npy --proba proba.npy --log log.jsonl
