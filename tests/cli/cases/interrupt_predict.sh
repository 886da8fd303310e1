# Ctrl-C in the midst of a prediction: exit 130, and no file, whole or half.
small model
rows=20000000
npy_header '<f4' "($rows, 4)" > zeros.npy
truncate -s $((128 + rows * 16)) zeros.npy
interrupt INT 'has_bytes .imsat-*.tmp' \
    "$imsat" predict model zeros.npy --threads 1 -o labels.npy
echo "exit $?"
"$imsat" predict model zeros.npy --threads 1 --proba > proba.csv &
wait_for $! has_bytes proba.csv
kill -TERM $!
wait $!
echo "exit $?"
ls -A
rm -f zeros.npy proba.csv
