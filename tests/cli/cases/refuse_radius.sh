blobs 30 > blobs.csv
blobs 20 > fewer.csv
"$imsat" neighbors fewer.csv -t 3 -q -o fewer.npy
try cluster blobs.csv -k 3 --radius fewer.npy -o model
try cluster blobs.csv -k 3 --radius blobs.csv -o model
