# No truth, one run, nothing to write.
blobs 90 | cut -d, -f1-4 > blobs.csv
"$imsat" cluster blobs.csv -k 3 --hidden 32 --epochs 30 --batch 10
