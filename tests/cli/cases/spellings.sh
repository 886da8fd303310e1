# The ways to write an option give the same model; the last of two counts; -- ends options.
small a
small b --seed=1
small c --seed 5 --seed 1
cp blobs.csv -- -odd.csv
"$imsat" cluster -k3 --label-column=-1 -q --hidden 32 --epochs 30 --batch 10 -od \
    -- -odd.csv > /dev/null
"$imsat" cluster --no-center --center -qk 3 blobs.csv --label-column 4 --hidden=32 --epochs=30 \
    --batch=10 --output=e > /dev/null
cmp a b && cmp a c && cmp a d && cmp a e
