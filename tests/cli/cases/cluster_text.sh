blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 --runs 2 -o model \
    --labels labels.npy --proba proba.npy --log log.jsonl
