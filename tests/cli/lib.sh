# SPDX-License-Identifier: MIT
# What the cases share. They run under `bash -u` in an empty folder.

# Run the program and print its exit code.
try()
{
    "$imsat" "$@"
    echo "exit $?"
}

# blobs ROWS: a CSV of three clusters in four columns, and the cluster in a fifth.
blobs()
{
    awk -v n="$1" 'BEGIN {
        seed = 7
        for (i = 0; i < n; i++) {
            c = i % 3
            line = ""
            for (j = 0; j < 4; j++) {
                seed = (seed * 16807) % 2147483647
                line = line (c == j ? 5 : 0) + seed / 2147483647 ","
            }
            print line c
        }
    }'
}

# bytes NUMBER...: bytes, given in decimal.
bytes()
{
    local byte
    for byte in "$@"; do printf "\\$(printf %03o "$byte")"; done
}

# npy_header TYPE SHAPE: the 128 bytes before the elements of a .npy file.
npy_header()
{
    bytes 147
    printf 'NUMPY'
    bytes 1 0 118 0
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
}

# codes FILE ROWS WIDTH BYTE...: a file of packed codes.
codes()
{
    local file=$1 rows=$2 width=$3
    shift 3
    { npy_header '|u1' "($rows, $width)"; bytes "$@"; } > "$file"
}

# elements FILE TYPE COLUMNS: the elements of a .npy file as text; TYPE as od names it.
elements()
{
    tail -c +129 "$1" | od -An -v -w$((${2#d} * $3)) -t "$2"
}

# small MODEL [OPTION...]: train quickly on blobs.csv, which is made if need be. Long enough
# for the three clusters to be found from any seed, so that there is nothing to warn of.
small()
{
    local model=$1
    shift
    [ -e blobs.csv ] || blobs 90 > blobs.csv
    "$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 -q \
        -o "$model" "$@" > /dev/null
}

# flip FILE OFFSET: flip the lowest bit of a byte.
flip()
{
    local old
    old=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    bytes $((old ^ 1)) | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

# wait_for PID CONDITION...: until a command succeeds, or the process is gone. There is no limit
# of time: a machine that is busy takes as long as it takes.
wait_for()
{
    local process=$1
    shift
    until "$@"; do
        kill -0 "$process" 2> /dev/null || return 1
        sleep 0.01
    done
}

# has_lines FILE COUNT
has_lines()
{
    [ -e "$1" ] && [ "$(wc -l < "$1")" -ge "$2" ]
}

# has_bytes PATTERN: a file of that name has something in it.
has_bytes()
{
    [ -n "$(find . -name "$1" -size +0)" ]
}

# interrupt SIGNAL CONDITION COMMAND...: run a command, send it the signal once the condition
# holds, and return its exit code. A command that was done before the signal came (this shell
# may have to wait for a processor) is run again, without the files that it left.
interrupt()
{
    local signal=$1 condition=$2 before file code=0
    shift 2
    before=$(ls)
    until [ "$code" -ne 0 ]; do
        for file in *; do
            grep -qxF "$file" <<< "$before" || rm -f "$file"
        done
        "$@" > ../interrupted &
        # shellcheck disable=SC2086 # a command and its arguments
        wait_for $! $condition
        kill -"$signal" $! 2> /dev/null
        wait $!
        code=$?
    done
    cat ../interrupted
    return "$code"
}
