# A model keeps what its table was: other tables are read as that one, in any order of columns.
cat >people.csv <<END
,born,age,city,member,kind
0,1990-01-31,34.0,Rome,True,a
1,1985-12-01,,Bern,False,b
2,2001-07-15,23.0,Rome,True,b
3,1999-02-28,25.0,Bern,False,a
END
try cluster people.csv --label-column kind -k 2 --method kmeans -q
"$imsat" cluster people.csv --label-column kind -k 2 --method kmeans -q --standardize \
    --categories one-hot --missing mean -o model >/dev/null
"$imsat" info model | sed -n '/^table/p;/^column/,$p'
"$imsat" info model --json | sed -n '/"columns"/,$p'
"$imsat" predict model people.csv --text >trained
# Other columns, another order, a city that is not known.
cat >other.csv <<END
city,kind,member,shoe,age,born
Rome,?,True,40,34.0,1990-01-31
Bern,?,False,41,,1985-12-01
Rome,?,True,42,23.0,2001-07-15
Bern,?,False,43,25.0,1999-02-28
Oslo,?,False,43,25.0,1999-02-28
END
"$imsat" predict model other.csv --text | head -n 4 | cmp - trained
# Without a header places count.
tail -n +2 people.csv >bare.csv
try predict model bare.csv --text
"$imsat" predict model bare.csv --text --label-column -1 | cmp - trained
"$imsat" predict model bare.csv --text --columns 1-4 | cmp - trained
cut -d, -f2-4,6 other.csv >fewer.csv
try predict model fewer.csv --text
try predict model people.csv --text --missing median
try predict model people.csv --text --categories drop
"$imsat" predict model people.csv --text --missing drop | wc -l
