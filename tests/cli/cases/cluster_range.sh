# A range of k: a table, the one that stands out, and on with it; and what is no range.
blobs 120 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 2-5 --method kmeans -q | head -n 14
"$imsat" cluster blobs.csv --label-column 4 -k auto --method kmeans -q --json 2> table | grep '"k"'
grep 'stands out' table
blobs 20 > few.csv
try cluster few.csv -k auto --method kmeans -q
try cluster blobs.csv -k 4-2
try cluster blobs.csv -k 1-3
try cluster blobs.csv -k 2-x
try cluster blobs.csv -k 2-1000
printf '0.5\n0.5\n' > prior.csv
try cluster blobs.csv -k 2-4 --prior prior.csv
