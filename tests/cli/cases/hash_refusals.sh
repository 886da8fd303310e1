small clusters
blobs 30 > blobs.csv
try hash blobs.csv
try hash blobs.csv -b 0 -o model
try hash blobs.csv -b 2000 -o model
try hash blobs.csv -b 16 -k 3 -o model
try hash blobs.csv -b 16 --prior uniform -o model
try hash blobs.csv -b 16 --method imsat-affine -o model
try hash blobs.csv -b 16 --codes same.npy --proba same.npy
try cluster blobs.csv -k 3 -b 16 -o model
try cluster blobs.csv -k 3 --codes codes.npy -o model
"$imsat" hash blobs.csv -b 5 --hidden none --epochs 1 -q -o model > /dev/null
try predict model blobs.csv --text -o codes.npy
try predict model blobs.csv --bit-order big -o codes.npy
try predict clusters blobs.csv --label-column 4 --bit-order lsb -o codes.npy
