# Rows without clusters: said by compare, warned of by a cluster of one run, and no k of a range
# stands out.
awk 'BEGIN { seed = 7; for (i = 0; i < 400; i++) {
    seed = (seed * 16807) % 2147483647; printf "%.6f,", seed / 2147483647
    seed = (seed * 16807) % 2147483647; printf "%.6f\n", seed / 2147483647 } }' > noise.csv
"$imsat" compare noise.csv -k 4 --methods kmeans,imsat-vat -q | sed 's/^time .*/time X/'
"$imsat" cluster noise.csv -k 4 --method kmeans 2>&1 > /dev/null | grep warning
try cluster noise.csv -k 2-4 --method kmeans -q
"$imsat" compare noise.csv -k 2-3 -q | tail -n 2
