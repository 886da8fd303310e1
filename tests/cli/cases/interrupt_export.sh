# Ctrl-C in the midst of an export: exit 130, and no file, whole or half.
rows=20000000
npy_header '|u1' "($rows, 8)" > zeros.npy
truncate -s $((128 + rows * 8)) zeros.npy
interrupt INT 'has_bytes .imsat-*.tmp' "$imsat" export zeros.npy --to sqlite -o codes.sql
echo "exit $?"
interrupt TERM 'has_bytes .imsat-*.tmp' "$imsat" export zeros.npy --to postgres -o codes.copy
echo "exit $?"
ls -A
rm zeros.npy
