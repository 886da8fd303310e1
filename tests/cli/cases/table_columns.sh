# Columns of a table by name, number and range, and an index as pandas writes it.
printf ',age,city,size,kind\n0,1,Rome,5,a\n1,2,Bern,6,b\n2,4,Rome,9,b\n' >people.csv
"$imsat" info people.csv --label-column kind --drop city
"$imsat" info people.csv --columns age,size
"$imsat" info people.csv --columns 0-1,-2 --json
"$imsat" info people.csv --columns height
"$imsat" info people.csv --drop 9
"$imsat" neighbors people.csv -t 1 --drop 'city-' -q
