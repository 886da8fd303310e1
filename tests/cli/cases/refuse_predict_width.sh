small model
try predict model blobs.csv -o labels.npy
try predict model $data -o labels.npy
