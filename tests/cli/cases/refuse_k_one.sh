try cluster $data -k 1 -o model
try cluster $data -k 0 -o model
