# Not a terminal: a line per stage and per run, none with -q.
blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 --runs 2 > /dev/null
"$imsat" neighbors blobs.csv -o radius.npy
"$imsat" neighbors blobs.csv -o radius.npy -q
