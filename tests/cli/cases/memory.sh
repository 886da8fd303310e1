# --memory: the same files as without, from data that is read and not held; what cannot be done
# is refused with the limit that it takes.
rows=1500 dim=9000
{
    printf '\223NUMPY\1\0\166\0%-117s\n' \
        "{'descr': '|u1', 'fortran_order': False, 'shape': ($rows, $dim), }"
    gzip -dc "$data" | tr -d '\n,' | head -c 230000 >once
    for i in $(seq 120); do cat once; done | head -c $((rows * dim))
} >rows.npy
train="cluster rows.npy -k 3 --method kmeans --restarts 1 --iterations 3 --threads 2 -q"
# As much beyond the least as is needed: what the program alone takes depends on how it was built.
least=$($imsat info rows.npy --memory 1M 2>&1 | sed 's/.*the least is \([0-9]*\)M.*/\1/')
limit=$((least + 20))M
$imsat $train -o without.model --labels without.npy >/dev/null
$imsat $train -o within.model --labels within.npy --memory $limit >/dev/null
cmp without.model within.model && cmp without.npy within.npy && echo the same
$imsat predict within.model rows.npy -o predicted.npy --memory $limit && cmp predicted.npy within.npy
$imsat info rows.npy --memory 1M
$imsat cluster rows.npy -k 3 --method deep-rim --hidden 4000 --memory $limit -q
$imsat info rows.npy --memory lots
