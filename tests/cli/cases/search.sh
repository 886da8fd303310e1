# The nearest, those within a radius, and both; as files and as lines; by every method.
codes codes.npy 5 2 0 0 255 255 240 0 0 15 0 15
codes queries.npy 3 2 0 0 255 240 0 31
"$imsat" index codes.npy -o index > /dev/null
"$imsat" search index queries.npy -n 3
"$imsat" search index queries.npy -r 4
"$imsat" search index queries.npy -r 4 -n 1
"$imsat" search index queries.npy | head -n 1
for method in auto scan mih; do
    for threads in 1 3; do
        "$imsat" search index queries.npy -n 3 --method $method --threads $threads \
            -o $method.npy --distances distances.npy
        cmp $method.npy auto.npy
    done
done
elements auto.npy d8 3
elements distances.npy d4 3
head -c 90 auto.npy | tail -c +11
echo
"$imsat" search index queries.npy -n 2 -r 0 -o few.npy --distances none.npy --json
elements few.npy d8 2
elements none.npy d4 2
"$imsat" search index queries.npy -r 4 -o pairs.npy --json
elements pairs.npy d8 3
# No answer at all is a file, too.
printf '0000000011111111\n\n' | "$imsat" search index - -r 1 -o nothing.npy
printf '0000000011111111\r\n' | "$imsat" search index - -r 1
head -c 90 nothing.npy | tail -c +11
echo
# Least significant bits first, in codes and queries.
codes turned.npy 3 2 0 0 255 15 0 248
"$imsat" search index turned.npy --bit-order lsb -n 3 | cmp - <("$imsat" search index queries.npy -n 3)
# More queries than one batch has: the pairs count on.
yes 0000000000000000 | head -n 16386 | "$imsat" search index - -r 0 -o many.npy
elements many.npy d8 3 | tail -n 1
