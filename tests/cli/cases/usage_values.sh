try cluster $data -k abc
try cluster $data -k -3
try cluster $data -k 3.0
try cluster $data -k 99999999999999999999
try cluster $data -k ''
try cluster $data -k 3 --lambda abc
try cluster $data -k 3 --lambda 0x10
try cluster $data -k 3 --lambda 1e999
try cluster $data -k 3 --lambda nan
try cluster $data -k 3 --lambda '1 '
try cluster $data -k 3 --lambda 1,5
try cluster $data -k 3 --seed 9223372036854775808
try cluster $data -k 3 --threads 3000000000
try cluster $data -k 3 --hidden 8,
try cluster $data -k 3 --hidden 1,2,3,4,5,6,7,8,9
try cluster $data -k 3 --image 8
try cluster $data -k 3 --image 8x0
try cluster $data -k 3 --mu some
try cluster $data -k 3 --delta -1
try cluster $data -k 3 --scale 0
try cluster $data -k 3 --labels ''
