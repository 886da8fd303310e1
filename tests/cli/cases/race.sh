# A race of seeds, and its training, stopped by nothing and resumed: both are there already.
awk 'BEGIN { for (i = 0; i < 60; i++) print 9 * (i % 3) + i % 5, 7 * (i % 2) + i % 4, i % 7 }' | tr ' ' , > rows.csv
train="rows.csv -k 3 --runs 4 --race --hidden 8 --epochs 40 --batch 20"
"$imsat" cluster $train --checkpoint state -q --labels one.csv > /dev/null
cut -d' ' -f1-2 state.race | sed 1d
ls
"$imsat" cluster $train --checkpoint state --resume --labels two.csv 2>&1 > /dev/null | grep won
cmp one.csv two.csv && echo same
"$imsat" cluster rows.csv -k 3 --method kmeans --runs 2 --race -q
"$imsat" cluster rows.csv -k 3 --runs 3 --race --consensus --hidden 8 -q
"$imsat" cluster rows.csv -k 3 --runs 3 --consensus --hidden 8 --epochs 40 --batch 20 -q | grep 'kept\|^ \*' | cut -c1-20
