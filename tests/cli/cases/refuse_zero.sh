# 0 is no other word for auto, which is one.
blobs 90 > blobs.csv
for option in epochs batch threads; do
    try cluster blobs.csv -k 3 --$option 0 -o model
    "$imsat" cluster blobs.csv -k 3 --hidden 8 --epochs 1 --$option auto -q > /dev/null
    echo "auto: exit $?"
done
small model
try predict model blobs.csv --threads 0
try neighbors blobs.csv --threads 0
