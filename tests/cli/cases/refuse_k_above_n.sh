blobs 6 > blobs.csv
try cluster blobs.csv -k 7 -o model
