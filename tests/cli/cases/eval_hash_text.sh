# Codes of six bits. The third query's class is not in the gallery, and nothing is near the
# second.
{ npy_header '|u1' '(6, 1)'; bytes 0 128 192 64 240 28; } > gallery.npy
printf '3\n9\n3\n3\n' > classes1.csv
printf '9\n9\n' > classes2.csv
{ npy_header '|u1' '(3, 1)'; bytes 0 252 0; } > queries.npy
printf '3\n9\n5\n' > asked.csv
"$imsat" eval hash --gallery gallery.npy classes1.csv classes2.csv --queries queries.npy asked.csv \
    --bits 6 --at 4 --radius 1
echo
"$imsat" eval hash --queries queries.npy asked.csv --gallery=gallery.npy --gallery classes1.csv \
    classes2.csv --bits 6 --ties expected --at 9 --radius 1 --empty skip
echo
"$imsat" eval hash --queries queries.npy asked.csv --bits 6 --gallery gallery.npy classes1.csv \
    classes2.csv --ties id --threads 1
