#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Install to an empty prefix and use it as a stranger would: by pkg-config, shared and static,
# by find_package(), and as a program. Nothing is taken from the source tree but the example.
#
# IMSAT_BUILD is the folder that was built; build if it is not set.
set -eu
cd "${IMSAT_SOURCE:-$(dirname "$0")/../..}"
build=${IMSAT_BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
    echo "install: $1" >&2
    exit 1
}

# Two far groups of 20 points each: any clustering into 2 tells them apart.
for i in $(seq 20); do
    echo "$((i % 5)),$((i % 3))"
    echo "$((100 + i % 5)),$((200 + i % 3))"
done >"$work/tiny.csv"

# The example prints one label a line; odd lines are one group, even lines the other.
check_labels() {
    [ "$(wc -l <"$1")" -eq 40 ] || fail "$1: not 40 labels"
    [ "$(awk 'NR % 2 == 1' "$1" | sort -u | wc -l)" -eq 1 ] || fail "$1: first group is split"
    [ "$(awk 'NR % 2 == 0' "$1" | sort -u | wc -l)" -eq 1 ] || fail "$1: second group is split"
    [ "$(sort -u "$1" | wc -l)" -eq 2 ] || fail "$1: not two clusters"
}

cmake --install "$build" --prefix "$prefix" >"$work/log" || fail "$(cat "$work/log")"
libdir=$(dirname "$(find "$prefix" -name libimsat.so)")

# What the shared library shows of itself.
symbols=$(nm -D --defined-only "$libdir/libimsat.so" | awk '{ print $3 }')
[ -n "$symbols" ] || fail 'libimsat.so exports nothing'
strange=$(echo "$symbols" | grep -v '^imsat_' || true)
[ -z "$strange" ] || fail "libimsat.so exports $strange"
declared=$(sed -n 's/^\(.*[ *]\)\{0,1\}\(imsat_[a-z0-9_]*\)(.*/\2/p' "$prefix"/include/imsat/*.h)
for symbol in $symbols; do
    echo "$declared" | grep -qx "$symbol" || fail "$symbol is exported but in no header"
done
readelf -d "$libdir/libimsat.so" | grep -q 'SONAME.*libimsat\.so\.[0-9]' || fail 'no SONAME'

# pkg-config, shared then static.
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
[ "imsat $(pkg-config --modversion imsat)" = "$("$prefix/bin/imsat" --version | head -n 1)" ] ||
    fail 'the program and imsat.pc disagree on the version'
read -ra flags <<<"$(pkg-config --cflags --libs imsat)"
cc examples/01_cluster.c -o "$work/shared" "${flags[@]}"
"$work/shared" "$work/tiny.csv" 2 >"$work/shared.labels"
check_labels "$work/shared.labels"

mkdir "$work/static-only"
cp "$libdir/libimsat.a" "$work/static-only"
read -ra flags <<<"$(pkg-config --static --cflags --libs imsat)"
cc examples/01_cluster.c -o "$work/static" -L "$work/static-only" "${flags[@]}"
LD_LIBRARY_PATH='' "$work/static" "$work/tiny.csv" 2 >"$work/static.labels"
check_labels "$work/static.labels"
cmp -s "$work/shared.labels" "$work/static.labels" || fail 'shared and static disagree'

# find_package(), in a project of its own.
mkdir "$work/project"
cp examples/01_cluster.c "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(stranger LANGUAGES C)
find_package(imsat 0.1 REQUIRED)
add_executable(by_shared 01_cluster.c)
target_link_libraries(by_shared PRIVATE imsat::imsat)
add_executable(by_static 01_cluster.c)
target_link_libraries(by_static PRIVATE imsat::imsat_static)
END
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/project/build" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
for program in by_shared by_static; do
    "$work/project/build/$program" "$work/tiny.csv" 2 >"$work/$program.labels"
    check_labels "$work/$program.labels"
done

# The program and what comes with it.
for file in man/man1/imsat.1 bash-completion/completions/imsat zsh/site-functions/_imsat \
    fish/vendor_completions.d/imsat.fish imsat/digits.csv.gz; do
    [ -s "$prefix/share/$file" ] || fail "share/$file is missing or empty"
done
"$prefix/bin/imsat" info "$prefix/share/imsat/digits.csv.gz" >"$work/log" ||
    fail 'the installed program does not read the installed digits'
echo 'install: ok'
