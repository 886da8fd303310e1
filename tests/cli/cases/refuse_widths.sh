printf '1,2\n3,4\n' > two.csv
printf '1,2,3\n3,4,5\n' > three.csv
try cluster two.csv three.csv -k 2 -o model
