# What cannot be compared is refused, with what to do.
blobs 60 > blobs.csv
try compare blobs.csv
try compare blobs.csv -k 9
try compare blobs.csv -k 3 --methods kmeans,itq
try compare blobs.csv -k 3 --budget 0
try compare blobs.csv -k 3 -o missing/compare.json
