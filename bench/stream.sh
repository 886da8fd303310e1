#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The memory of `imsat predict` on mapped files of growing size: it must not grow with them.
#
#     bench/stream.sh [GIGABYTES...]          default: 1 10
#
# The files are float32 (n, 784) .npy of zeros that take no room on disk. Printed is, for each,
# the time and the peak of resident memory (VmHWM), looked at ten times a second; the exit
# code is 1 if the last is more than 16 MB above the first. IMSAT_BUILD is the folder with the
# program, IMSAT_HIDDEN the hidden layers (default 1200,1200), IMSAT_THREADS the threads.
set -eu
build=${IMSAT_BUILD:-$(cd "$(dirname "$0")/.." && pwd)/build}
imsat=$build/imsat
columns=784
[ $# -gt 0 ] || set -- 1 10

work=$(mktemp -d "${TMPDIR:-/tmp}/imsat-stream.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# A model of the right width; what it has learned does not matter here.
awk -v d=$columns 'BEGIN {
    srand(1)
    for (i = 0; i < 200; i++)
        for (j = 0; j < d; j++)
            printf "%.4f%s", rand() + (i % 10 == j % 10), j + 1 < d ? "," : "\n"
}' > small.csv
"$imsat" cluster small.csv -k 10 --method deep-rim --hidden "${IMSAT_HIDDEN:-1200,1200}" \
    --epochs 1 -q -o model > /dev/null 2>&1

# zeros FILE ROWS
zeros() {
    printf '\223NUMPY\1\0\166\0%-117s\n' \
        "{'descr': '<f4', 'fortran_order': False, 'shape': ($2, $columns), }" > "$1"
    truncate -s $((128 + $2 * columns * 4)) "$1"
}

# The peak in kB of a process, once it has ended.
peak() {
    local now last=0
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null) &&
        [ -n "$now" ]; do
        last=$now
        sleep 0.1
    done
    echo "$last"
}

printf '%8s %10s %10s %12s\n' GB rows seconds 'peak MB'
first=
for size in "$@"; do
    rows=$((size * 1000000000 / (columns * 4)))
    zeros data.npy "$rows"
    start=$(date +%s)
    "$imsat" predict model data.npy -o labels.npy --threads "${IMSAT_THREADS:-0}" &
    last=$(peak $!)
    wait $!
    printf '%8s %10s %10s %12.1f\n' "$size" "$rows" $(($(date +%s) - start)) \
        "$(awk -v kb="$last" 'BEGIN { print kb / 1000 }')"
    first=${first:-$last}
done
[ $((last - first)) -le 16000 ]
