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
