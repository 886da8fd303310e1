# The same bytes for any number of threads, and for the plain kernels.
small one --threads 1 --hidden 33,17
small two --threads 2 --hidden 33,17
small three --threads 3 --hidden 33,17
small many --threads 64 --hidden 33,17
cmp one two && cmp one three && cmp one many
IMSAT_KERNELS=ref small ref --hidden 33,17
cmp one ref
"$imsat" predict one blobs.csv --label-column 4 --threads 1 > a
"$imsat" predict one blobs.csv --label-column 4 --threads 3 | cmp a -
