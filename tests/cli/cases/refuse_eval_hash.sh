{ npy_header '|u1' '(5, 1)'; bytes 0 128 192 64 240; } > codes.npy
{ npy_header '|u1' '(2, 2)'; bytes 0 0 252 1; } > wide.npy
printf '3\n-9\n3\n3\n-9\n' > classes.csv
printf '3\n9\n' > two.csv
printf '1\n1\n1\n1\n1\n' > one_class.csv
try eval hash codes.npy two.csv --split 1
try eval hash --gallery codes.npy classes.csv --queries wide.npy classes.csv
try eval hash --gallery codes.npy classes.csv --queries wide.npy two.csv
try eval hash codes.npy classes.csv --split 3
try eval hash codes.npy one_class.csv --split 5
try eval hash codes.npy classes.csv --split 1 --at 0
try eval hash codes.npy classes.csv --split 1 --bits 3
try eval hash codes.npy classes.csv --split 1 --bits 9
try eval hash classes.csv classes.csv --split 1
try eval hash codes.npy none.csv --split 1
try eval hash codes.npy classes.csv --split 1 --curves none/curves.csv
