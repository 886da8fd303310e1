# A scale that leads out of the range of numbers, by each of the steps behind it.
printf '1,2\n3,4\n5,7\n' > x.csv
for more in --center --no-center '--no-center --unit-norm' '--no-center --standardize'; do
    # shellcheck disable=SC2086 # words
    try neighbors x.csv --scale 1e308 -q $more
done
try neighbors x.csv --scale 1e120 -q
# Distances that are no float, of rows that are.
printf '3e38,-3e38\n-3e38,3e38\n0,0\n' > far.csv
try neighbors far.csv -q --no-center -t 2
try neighbors far.csv -q -t 2
