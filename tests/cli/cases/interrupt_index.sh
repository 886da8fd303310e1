# Ctrl-C while a new index is built: the program ends at once, and says nothing, because there
# is nothing to tidy up.
rows=5000000
npy_header '|u1' "($rows, 8)" > zeros.npy
truncate -s $((128 + rows * 8)) zeros.npy
interrupt INT 'sleep 0.1' env --default-signal=INT "$imsat" index zeros.npy -o index
echo "exit $?"
ls -A
rm zeros.npy
