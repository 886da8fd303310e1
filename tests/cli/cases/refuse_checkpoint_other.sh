small model --checkpoint state
try cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 --lambda 0.7 -q \
    --checkpoint state --resume -o other
try cluster blobs.csv -k 3 --hidden 32 --epochs 30 --batch 10 -q --checkpoint state \
    --resume -o other
printf 'no checkpoint at all' > state
try cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 -q \
    --checkpoint state --resume -o other
