{ bytes 0 0 7 3 0 0 0 2 0 0 0 2 0 0 0 2; bytes 1 2 3 4 5 6 7 8; } > images.idx
try cluster images.idx -k 2 -o model
{ bytes 0 0 8 3 0 0 0 2 0 0 0 2 0 0 0 2; bytes 1 2 3 4 5; } > short.idx
try cluster short.idx -k 2 -o model
