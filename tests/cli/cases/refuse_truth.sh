blobs 30 > blobs.csv
printf '0\n1\n2\n' > three.csv
try cluster blobs.csv -k 3 --truth three.csv -o model
try cluster blobs.csv -k 3 --truth three.csv --truth three.csv -o model
try eval cluster three.csv three.csv three.csv
try cluster blobs.csv -k 3 --label-column 9 -o model
try cluster blobs.csv -k 3 --label-column name -o model
