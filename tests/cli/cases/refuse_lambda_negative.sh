try cluster $data -k 3 --lambda -0.1 -o model
