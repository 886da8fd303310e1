# Sparse data: the model is that of the same rows as a table, to the byte. (Float holds all values:
# a table keeps what it does not hold as double, and sparse rows do not.)
blobs 90 | awk -F, -v OFS=, '{
    for (j = 1; j <= 4; j++) $j = (NR + j) % 3 ? int($j * 16) / 16 : 0
    print }' > rows.csv
awk -F, '{ line = $5
           for (j = 1; j <= 4; j++) if ($j != 0) line = line " " j ":" $j
           print line }' rows.csv > rows.svm
"$imsat" info rows.svm
train="-k 3 --method linear-rim --no-center --epochs 3 --batch 10 -q"
# shellcheck disable=SC2086 # words are meant
"$imsat" cluster rows.svm $train -o sparse > /dev/null
# shellcheck disable=SC2086
"$imsat" cluster rows.csv --label-column 4 $train -o dense > /dev/null
cmp sparse dense
"$imsat" predict sparse rows.svm > labels.csv
"$imsat" predict dense rows.csv --label-column 4 | cmp - labels.csv
# A file that lacks the last column is as wide as the model.
head -n 20 rows.svm | sed 's/ 4:.*//' > narrow.svm
"$imsat" predict sparse narrow.svm | wc -l
echo '1 2:3 2:4' > twice.svm
try info twice.svm
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n' > short.mtx
try info short.mtx
