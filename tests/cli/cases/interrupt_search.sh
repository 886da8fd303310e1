# Ctrl-C in the midst of a search: exit 130, and no file, whole or half.
{ npy_header '|u1' '(2000, 8)'; head -c 16000 /dev/urandom; } > codes.npy
"$imsat" index codes.npy -o index
rows=4000000
npy_header '|u1' "($rows, 8)" > zeros.npy
truncate -s $((128 + rows * 8)) zeros.npy
interrupt INT 'has_bytes .imsat-*.tmp' \
    "$imsat" search index zeros.npy --threads 1 --method scan -o ids.npy --distances distances.npy
echo "exit $?"
ls -A
rm zeros.npy
