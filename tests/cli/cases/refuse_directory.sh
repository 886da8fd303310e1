mkdir folder
try cluster folder -k 3 -o model
try predict folder $data
try info folder
