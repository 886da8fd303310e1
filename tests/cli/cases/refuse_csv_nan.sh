printf '1,2,3\n4,5,6\n7,nan,9\n' > nan.csv
try cluster nan.csv -k 2 -o model
printf '1,2,3\n4,5,inf\n' > inf.csv
try cluster inf.csv -k 2 -o model
