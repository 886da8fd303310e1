# More answers are asked for than there are codes.
codes codes.npy 3 1 0 1 3
"$imsat" index codes.npy -o index > /dev/null
try search index codes.npy -n 5
try search index codes.npy -n 5 -o ids.npy --distances distances.npy
elements ids.npy d8 5
elements distances.npy d4 5
# An index that has nothing left.
printf '0\n1\n2\n' > ids.txt
try index --delete ids.txt -o index
try search index codes.npy -r 3
