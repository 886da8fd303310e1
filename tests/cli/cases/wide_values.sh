# Times in milliseconds: three bursts a minute apart, which float cannot tell from each other.
awk 'BEGIN { for (i = 0; i < 90; i++)
    printf "%.0f,%d\n", 1700000000000 + 60000 * (i % 3) + 137 * (i * 7 % 11), i % 3 }' > times.csv
"$imsat" info times.csv --label-column 1 | grep '^format'
for method in kmeans imsat-vat; do
    if [ "$method" = kmeans ]; then more=(); else more=(--hidden 32 --epochs 30 --batch 10); fi
    "$imsat" cluster times.csv --label-column 1 -k 3 --method "$method" ${more[@]+"${more[@]}"} \
        -q -o model --labels labels.npy | grep -o 'ACC *1.0000'
    "$imsat" predict model times.csv --label-column 1 -o again.npy
    cmp labels.npy again.npy && echo "$method: predict gives the same labels"
done
# Without centering they are one or two floats. That is told, and not that copies should go.
for method in kmeans imsat-vat linear-rim; do
    echo "$method --no-center"
    try cluster times.csv --label-column 1 -k 3 --method "$method" --no-center -q > out
    tail -n 1 out
done
# Rows that are copies in the file.
yes 1,2 | head -n 40 > copies.csv
try cluster copies.csv -k 2 -q
try cluster copies.csv -k 2 -q --method kmeans
# A value beside which all others vanish, centered or not.
awk 'BEGIN { for (i = 0; i < 90; i++) print i == 44 ? 1e30 : i * i % 31 }' > beside.csv
try cluster beside.csv -k 3 -q --method kmeans
try cluster beside.csv -k 3 -q --method kmeans --no-center
try cluster beside.csv -k 3 -q --method linear-rim --epochs 2 > out
tail -n 1 out
