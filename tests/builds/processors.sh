#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program writes the same bytes on processors of different years, without fused
# multiply-adds and with them, where libm, too, takes other ways: models and radii that were
# made here beside those that were made in an emulator. Skipped without the emulator.
#
#     apt-get install qemu-user
set -eu
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
imsat=${IMSAT_BUILD:-$root/build}/imsat
if [ "$(uname -m)" != x86_64 ] || ! command -v qemu-x86_64 >/dev/null; then
    echo "processors: skipped, qemu-x86_64 is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
gzip -dc "$root/data/digits.csv.gz" | head -n 300 >digits.csv

# make PREFIX COMMAND...: what COMMAND, which may be an emulator, makes.
make() {
    local prefix=$1 net='--hidden 40,30 --epochs 3'
    shift
    local columns='digits.csv --label-column 64 --threads 2 -q'
    # shellcheck disable=SC2086 # several words
    {
        "$@" cluster $columns -k 10 $net -o "$prefix.vat"
        "$@" cluster $columns -k 10 $net --image 8x8 --method imsat-vat-affine \
            -o "$prefix.affine"
        "$@" cluster $columns -k 10 --method kmeans -o "$prefix.kmeans"
        "$@" hash $columns -b 16 $net --unit-norm -o "$prefix.hash"
        "$@" neighbors $columns --radius-method approx -o "$prefix.radius.npy"
    } >/dev/null 2>"$prefix.messages" || { cat "$prefix.messages"; exit 1; }
}

make here "$imsat"
# Without AVX; with AVX2 and fused multiply-adds.
for processor in Nehalem Haswell; do
    make "$processor" qemu-x86_64 -cpu "$processor" "$imsat"
    for kind in vat affine kmeans hash radius.npy; do
        cmp "here.$kind" "$processor.$kind"
    done
    echo "processors: $processor writes the same bytes"
done
