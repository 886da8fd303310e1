try cluster $data -k 3 --hidden 0 -o model
