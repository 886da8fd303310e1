: > empty.csv
try cluster empty.csv -k 3 -o model
