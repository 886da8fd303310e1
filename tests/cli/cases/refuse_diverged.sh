# One value that takes training out of the range of numbers: no model is left that predict
# would refuse.
blobs 90 | cut -d , -f 1-4 | sed '61s/^[^,]*/1e30/' > x.csv
try cluster x.csv -k 3 --no-center --hidden 32 --epochs 3 --batch 30 -q -o model
try cluster x.csv -k 2 --no-center --method kmeans -q -o model
try hash x.csv -b 4 --no-center --hidden 32 --epochs 3 --batch 30 -q -o model
# A step that is too long, with data that are not to blame.
blobs 90 | cut -d , -f 1-4 > y.csv
try cluster y.csv -k 3 --step-size 1e30 --hidden 32 --epochs 3 --batch 30 -q -o model \
    --checkpoint state
