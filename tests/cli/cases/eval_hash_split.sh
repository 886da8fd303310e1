# The same draw for any number of threads, another for another seed; the curves go to a file.
{
    npy_header '|u1' '(60, 2)'
    # shellcheck disable=SC2046 # words are meant
    bytes $(awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 3) * 80 + i % 7, i % 5 * 16 }')
} > codes.npy
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 3 }' > classes.csv
"$imsat" eval hash codes.npy classes.csv --split 4 --bits 12 --json --curves curves.csv
cat curves.csv
"$imsat" eval hash codes.npy classes.csv --split 4 --bits 12 > default.txt
"$imsat" eval hash --split 4 codes.npy classes.csv --bits 12 --threads 3 --seed 1 | cmp - default.txt
"$imsat" eval hash codes.npy classes.csv --split 4 --bits 12 --seed 2 | cmp -s - default.txt ||
    echo 'another seed, another score'

# A file of the other bit order holds the same codes.
reversed()
{
    od -An -v -tu1 -j 128 codes.npy | awk '{
        for (i = 1; i <= NF; i++) {
            x = $i; y = 0
            for (b = 0; b < 8; b++) { y = y * 2 + x % 2; x = int(x / 2) }
            print y
        }
    }'
}
{
    npy_header '|u1' '(60, 2)'
    # shellcheck disable=SC2046 # words are meant
    bytes $(reversed)
} > lsb.npy
"$imsat" eval hash lsb.npy classes.csv --split 4 --bits 12 --bit-order lsb | cmp - default.txt
