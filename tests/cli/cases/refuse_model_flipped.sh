small model
cp model flipped
flip flipped 12
try predict flipped blobs.csv --label-column 4 -o labels.npy
cp model length
flip length 1
try predict length blobs.csv --label-column 4 -o labels.npy
head -c 200 model > short
try predict short blobs.csv --label-column 4 -o labels.npy
try info short
cp model weight
flip weight $(($(wc -c < model) - 3))
try predict weight blobs.csv --label-column 4 -o labels.npy
rm model
