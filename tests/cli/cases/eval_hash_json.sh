{ npy_header '|u1' '(6, 2)'; bytes 0 0 128 0 192 1 64 0 240 0 28 7; } > gallery.npy
printf '3\n9\n3\n3\n9\n9\n' > classes.csv
{ npy_header '|u1' '(2, 2)'; bytes 0 0 252 1; } > queries.npy
printf '3\n9\n' > asked.csv
for ties in block expected id trapezoid; do
    "$imsat" eval hash --gallery gallery.npy classes.csv --queries queries.npy asked.csv --json \
        --ties $ties --at 3 --radius 3 --empty skip
done
