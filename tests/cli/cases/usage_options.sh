try cluster
try cluster $data
try cluster $data -k
try cluster $data -k 3 --labels
try cluster $data -k 3 -o --labels x.npy
try cluster $data -k 3 --json=yes
try cluster $data -k 3 -o same --labels same
try cluster $data -k 3 --resume
try predict model
try eval cluster one
try info one two
try neighbors $data -t 0
IMSAT_KERNELS=fast try cluster $data -k 3
