# Rows and models that are finite, and predictions that would not be.
small model
printf '1,2,3,4\n5,6,7,8\n3e38,-3e38,3e38,3e38\n' > far.csv
try predict model far.csv -o labels.npy
try predict model far.csv --proba
# A model whose first weights are 3e38: its first tensor begins behind a header of N bytes. It
# has no checksum, as those of other programs.
LC_ALL=C sed 's/"checksum"/"unsealed"/' model > hostile
header=$(od -An -N 8 -t d8 model | tr -d ' ')
for ((i = 0; i < 128; i++)); do bytes 230 177 97 127; done |
    dd of=hostile bs=1 seek=$((8 + header)) conv=notrunc status=none
try predict hostile blobs.csv --label-column 4 -o labels.npy
rm model hostile
