# How far labels are to be trusted, and rows that are unlike the training data.
"$imsat" cluster "$data" -k 10 --label-column 64 --method kmeans -q -o model \
    --confidence c.npy --outliers o.npy > /dev/null
"$imsat" predict model "$data" --label-column 64 --confidence c2.npy --outliers o2.npy
cmp c.npy c2.npy && cmp o.npy o2.npy
"$imsat" info c.npy | head -3
"$imsat" info o.npy | head -3
# One row as it was, the same a thousand times too long, and noise; labels only if asked for.
zcat "$data" | head -1 | cut -d, -f1-64 > one.csv
{
    cat one.csv
    awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) $i *= 1000; print }' one.csv
    awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) $i = i * 7919 % 17; print }' one.csv
} > three.csv
"$imsat" predict model three.csv --outliers - --format csv --confidence c.csv --text |
    sed "s/^\([0-9]\.[0-9]\)[0-9.]*,/\1,/"
cut -c1-3 c.csv
"$imsat" predict model three.csv --outliers o.jsonl 2> /dev/null
sed 's/"distance":[0-9.e+]*/"distance":#/' o.jsonl
# What cannot be.
try predict model three.csv --confidence c.dat
try predict model three.csv --confidence c.csv --outliers c.csv
"$imsat" hash one.csv three.csv -b 2 --method linear-rim --epochs 1 -q -o hash > /dev/null 2>&1
try predict hash one.csv --confidence c.csv
try predict hash one.csv --outliers o.csv
ls
