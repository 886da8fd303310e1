# A table of tiny data, from cells that are then there; names that are not.
awk 'BEGIN { for (i = 0; i < 30; i++) { for (j = 0; j < 64; j++) printf "%d,", (i * 7 + j * (i % 3 + 1)) % 11 + 20 * (j % 3 == i % 3); print i % 3 } }' > digits.csv.gz
"$imsat" reproduce clustering --dataset digits --method kmeans,linear-rim --trials 2 --epochs 30 -o out -q
ls out
"$imsat" reproduce clustering --dataset digits --method kmeans,linear-rim --trials 2 --epochs 30 -o out --json
"$imsat" reproduce clustering --dataset digits --method kmeans --epochs 31 -o out
"$imsat" reproduce clustering --dataset digits --method kmeans,linear-rim --trials 1 --runs 2 --race --epochs 6 -o race -q
"$imsat" reproduce clustering --dataset digits --method linear-rim --trials 1 --race --epochs 6 -o race
"$imsat" reproduce hash16 --dataset mnits
"$imsat" reproduce hash
"$imsat" reproduce
