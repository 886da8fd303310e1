try clutser
try xyzzy
try eval
try eval clutser
try -k 3 cluster
try cluster $data -k 3 --lamda 1
try cluster $data -k 3 --no-lambda
try cluster $data -k 3 --zzzzzz
try cluster $data -k 3 -z
try cluster $data -k 3 --method imsat-vatt
try cluster $data -k 3 --method own
try cluster $data -k 3 --preset papr
try cluster $data -k 3 --radius-method often
