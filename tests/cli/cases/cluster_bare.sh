# No truth, one run, nothing to write.
blobs 90 | cut -d, -f1-4 > blobs.csv
"$imsat" cluster blobs.csv -k 3 --hidden none --epochs 60
