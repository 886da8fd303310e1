#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# imsat builds without any of the libraries of src/core/feature_list.h: it reads what needs none
# of them, and refuses the rest by the name of the package. A build of its own, unoptimized, of
# the program and of the tests of readers.
#
# IMSAT_BUILD is the folder that was built, build if it is not set; this one is bare/ in it.
set -eu
cd "${IMSAT_SOURCE:-$(dirname "$0")/../..}"
bare=${IMSAT_BUILD:-build}/bare
tests='feature fourier gist unpack path bytes reader npy zip npz vecs planes safetensors_data spool hdf5 mat peer_files idx csv dataset labels ids codes image pictures fetch sets sets_prepare recipe_omniglot'

fail() {
    echo "bare: $1" >&2
    exit 1
}

quiet() {
    "$@" >"$work/log" 2>&1 || fail "$* failed: $(cat "$work/log")"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet cmake -S . -B "$bare" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DIMSAT_WITH=OFF
targets=(imsat)
for name in $tests; do targets+=("unit_test_$name"); done
quiet cmake --build "$bare" --target "${targets[@]}"
quiet ctest --test-dir "$bare" --no-tests=error --output-on-failure -R "unit/test_(${tests// /|})\$"

# The program says what it lacks, and so does the refusal of a file.
count=$(grep -c '^IM_FEATURE(' src/core/feature_list.h)
lacks=$("$bare/imsat" --version | sed -n 's/^without //p' | tr ',' '\n' | wc -l)
[ "$lacks" -eq "$count" ] || fail "--version lists $lacks of $count libraries as missing"
printf '\050\265\057\375' >"$work/x.csv.zst"
if "$bare/imsat" info "$work/x.csv.zst" >"$work/log" 2>&1; then fail 'x.csv.zst was read'; fi
grep -q 'x.csv.zst: is compressed by zstd, .* install libzstd-dev and build again' "$work/log" ||
    fail "the refusal of x.csv.zst: $(cat "$work/log")"
if "$bare/imsat" data fetch mnist --to "$work/mnist" >"$work/log" 2>&1; then
    fail 'mnist was downloaded'
fi
grep -q 'is to be downloaded, .* install libcurl4-openssl-dev and build again' "$work/log" ||
    fail "the refusal to download: $(cat "$work/log")"

# A library that must be there and is not stops the build, with the name of its package.
cat >"$work/pkg-config" <<'END'
#!/bin/sh
case "$*" in *libzstd*) exit 1 ;; esac
exec pkg-config "$@"
END
chmod +x "$work/pkg-config"
if cmake -S . -B "$work/build" -G Ninja -DIMSAT_WITH_ZSTD=ON -DIMSAT_TESTS=OFF \
    -DPKG_CONFIG_EXECUTABLE="$work/pkg-config" >"$work/log" 2>&1; then
    fail 'a build with a library that is not there was configured'
fi
grep -q 'libzstd-dev' "$work/log" || fail "the message lacks the package: $(cat "$work/log")"
echo "bare: builds without $count libraries"
