# A table as pandas writes it: an index, dates, booleans, words, missing values and labels.
cat >people.csv <<END
,born,age,city,member,kind
0,1990-01-31,34.0,Rome,True,a
1,1985-12-01,,Bern,False,b
2,2001-07-15,23.0,,True,b
3,1999-02-28,25.0,Rome,False,a
END
try convert people.csv x.npy --label-column kind
try convert people.csv x.npy --label-column kind --missing mean
try info people.csv --label-column kind --categories one-hot
try info people.csv --label-column kind --categories one-hot --missing mean
try info people.csv --label-column kind --categories drop --missing drop
try info people.csv --categories hot
printf 'a;b\n1,5;2\n-0,25;3\n' >comma.csv
try info comma.csv
