printf '1,2,3\n4,5,6\n7,8\n9,10,11\n' > ragged.csv
try cluster ragged.csv -k 2 -o model
