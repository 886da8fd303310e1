blobs 30 > blobs.csv
printf '0.5\n0.3\n0.3\n' > sum.csv
printf '0.5\n0.5\n' > length.csv
printf '1.2\n-0.1\n-0.1\n' > negative.csv
try cluster blobs.csv -k 3 --prior sum.csv -o model
try cluster blobs.csv -k 3 --prior length.csv -o model
try cluster blobs.csv -k 3 --prior negative.csv -o model
try cluster blobs.csv -k 3 --prior missing.csv -o model
