# Three clusters leave nothing to say for 11 bits.
blobs 90 > blobs.csv
"$imsat" hash blobs.csv --label-column 4 -b 11 --hidden 32 --epochs 30 --batch 10 -q > /dev/null
