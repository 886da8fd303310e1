{ npy_header '<f4' '(3, 2)'; bytes 0 0 128 63 0 0 0 64; } > short.npy
try cluster short.npy -k 2 -o model
npy_header '<f4' '(3, 2)' | head -c 60 > header.npy
try cluster header.npy -k 2 -o model
