printf '1,2,3\n4,five,6\n7,8,9\n' > word.csv
try cluster word.csv -k 2 -o model
