"$imsat" info $data --label-column 64
"$imsat" info $data --label-column -1 --image 8x8 --json
{ npy_header '<f4' '(2, 2)'; bytes 0 0 128 63 0 0 0 64 0 0 128 191 0 0 0 0; } > four.npy
"$imsat" info four.npy
