# Files that become shorter while a command reads them: an error that names the file, and nothing
# is left behind.

# report CODE: an exit code, and the files that are there.
report()
{
    local files
    files=$(ls -A)
    echo "exit $1: ${files//$'\n'/ }"
}

# lose FILE CONDITION COMMAND...: run a command, cut the file when the condition holds, and print
# the exit code. A command that was done before is run again.
lose()
{
    local file=$1 condition=$2 code=0
    shift 2
    cp --sparse=always "$file" ../whole
    until [ "$code" -ne 0 ]; do
        cp --sparse=always ../whole "$file"
        rm -f labels.npy radius.npy log
        : > ../lost
        "$@" > ../lost &
        # shellcheck disable=SC2086 # a command and its arguments
        wait_for $! $condition
        truncate -s 5000 "$file"
        wait $!
        code=$?
    done
    report "$code"
    cp --sparse=always ../whole "$file"
}

small model
rows=20000000
npy_header '<f4' "($rows, 4)" > zeros.npy
truncate -s $((128 + rows * 16)) zeros.npy
lose zeros.npy 'has_bytes .imsat-*.tmp' "$imsat" predict model zeros.npy -o labels.npy
lose zeros.npy 'has_bytes .imsat-*.tmp' \
    "$imsat" predict model zeros.npy --threads 3 --proba -o labels.npy
lose zeros.npy 'has_lines ../lost 1' "$imsat" predict model zeros.npy --threads 1
sort -u ../lost | wc -l
rm zeros.npy

# Compressed bytes are as good as random ones.
{ npy_header '|u1' '(1200, 40)'; head -c 48000 "$data"; } > rows.npy
lose rows.npy 'has_lines log 1' "$imsat" cluster rows.npy -k 3 --epochs 100000 -q --log log
lose rows.npy 'has_bytes state' "$imsat" hash rows.npy -b 8 --epochs 100000 -q \
    --checkpoint state --threads 3
rm -f state log rows.npy

# mapped FILE: the process that was started last has it mapped.
mapped()
{
    grep -q "work/$1\$" /proc/$!/maps 2> /dev/null
}
rows=30000
{ npy_header '|u1' "($rows, 40)"; head -c $((rows * 40)) /dev/urandom; } > random.npy
lose random.npy 'mapped random.npy' "$imsat" neighbors random.npy -q -o radius.npy --threads 3
rm -f random.npy

# The search waits for its queries when the index is opened already.
{ npy_header '|u1' '(6000, 8)'; head -c 48000 "$data"; } > codes.npy
"$imsat" index codes.npy -o index > /dev/null
for method in scan mih; do
    cp index ../whole
    mkfifo queries
    "$imsat" search index - -n 3 --method $method -o ids.npy < queries &
    exec 3> queries
    wait_for $! mapped index
    truncate -s 5000 index
    # It may have seen that already, and be gone.
    (trap '' PIPE; for _ in $(seq 40); do printf '%064d\n' 0 1; done 2> /dev/null) >&3
    exec 3>&-
    wait $!
    report $?
    cp ../whole index
    rm queries
done
rm -f ./*
