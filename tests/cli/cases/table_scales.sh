# Columns of different units: a note, unless something was asked for.
notes()
{
    "$imsat" cluster "$@" --method kmeans 2>&1 >/dev/null | grep note
}
awk 'BEGIN { print "income,rate"
    for (i = 0; i < 40; i++) print 20000 + 700 * i "," (i % 2 ? 0.25 : 0.75) + i / 1000 }' >units.csv
notes units.csv -k 2
notes units.csv -k 2 --standardize
notes units.csv -k 2 --unit-norm
notes units.csv -k 2 -q
tail -n +2 units.csv >bare.csv
notes bare.csv -k 2
blobs 30 >alike.csv
notes alike.csv -k 3
true
