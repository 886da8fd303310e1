{ npy_header '<c8' '(2, 1)'; bytes 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0; } > complex.npy
try cluster complex.npy -k 2 -o model
