# The approximate radius says so, and how far it is off; a misspelt method is refused.
blobs 3000 > blobs.csv
"$imsat" neighbors blobs.csv --label-column 4 --radius-method approx -o approx.npy
"$imsat" neighbors blobs.csv --label-column 4 --radius-method exact -q -o exact.npy
"$imsat" neighbors blobs.csv --label-column 4 -q -o auto.npy
cmp exact.npy auto.npy && echo "few rows are exact"
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 8 --epochs 1 --radius-method approx -q |
    grep radius
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 8 --epochs 1 --radius-method approx \
    -q --json -o model | grep radius_
"$imsat" info model | grep radius
"$imsat" neighbors blobs.csv --radius-method aprox
