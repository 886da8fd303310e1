{ npy_header '<f4' '(3, 2)'; bytes 0 0 128 63 0 0 0 64 0 0 128 63 0 0 192 127 0 0 0 0 0 0 0 0; } > nan.npy
try cluster nan.npy -k 2 -o model
