# More clusters than the data has, and runs too short to agree.
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 2 "," i % 2 }' > two.csv
"$imsat" cluster two.csv -k 8 --hidden 4 --epochs 1 --runs 3 -q --preset paper > /dev/null
