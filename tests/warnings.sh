#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The warnings of cmake/warnings.cmake are live. For every flag in its list there is a source
# here that must not compile with the list, and must compile with the list less that flag; a
# clean source must compile. With gcc and, if it is installed, clang.
set -u
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}
work=$(mktemp -d) || exit 1
trap 'rm -r "$work"' EXIT

# A source that only the warning $1 objects to.
culprit() {
    case $1 in
    all) echo 'int f(void); int f(void) { int unused; return 0; }' ;;
    extra) echo 'int f(int unused); int f(int unused) { return 0; }' ;;
    pedantic) echo 'extern int none[0]; int f(void); int f(void) { return 0; }' ;;
    shadow) echo 'int f(int a); int f(int a) { { int a = 1; (void)a; } return a; }' ;;
    conversion) echo 'short f(int a); short f(int a) { return a; }' ;;
    strict-prototypes) echo 'int f(); int g(void); int g(void) { return 0; }' ;;
    missing-prototypes) echo 'int f(void) { return 0; }' ;;
    vla) echo 'int f(int n); int f(int n) { int a[n]; a[0] = n; return a[0]; }' ;;
    write-strings) echo 'char *f(void); char *f(void) { return "text"; }' ;;
    cast-qual) echo 'char *f(const char *s); char *f(const char *s) { return (char *)s; }' ;;
    undef) printf 'int f(void);\n#if NOT_DEFINED\n#endif\nint f(void) { return 0; }\n' ;;
    *) return 1 ;;
    esac
}

# One object library a source: with all flags, and without the flag it is about.
project() {
    cat <<END
cmake_minimum_required(VERSION 3.18)
project(warnings LANGUAGES C)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(IMSAT_WERROR ON)
include($root/cmake/warnings.cmake)
add_library(spotless OBJECT spotless.c)
imsat_warnings(spotless)
set(all_flags \${IMSAT_WARNINGS})
foreach(flag \${all_flags})
  string(REPLACE "-W" "" name \${flag})
  add_library(with-\${name} OBJECT \${name}.c)
  imsat_warnings(with-\${name})
  set(IMSAT_WARNINGS \${all_flags})
  list(REMOVE_ITEM IMSAT_WARNINGS \${flag})
  add_library(without-\${name} OBJECT \${name}.c)
  imsat_warnings(without-\${name})
  set(IMSAT_WARNINGS \${all_flags})
endforeach()
END
}

flags=$(sed -n '/^set(IMSAT_WARNINGS/,/)/p' "$root/cmake/warnings.cmake" | grep -oE -- '-W[a-z-]+' |
    sed 's/^-W//')
count=$(wc -w <<<"$flags")
if [ "$count" -lt 11 ]; then
    echo "cmake/warnings.cmake: only $count flags are found in IMSAT_WARNINGS"
    exit 1
fi
project >"$work/CMakeLists.txt"
echo 'int f(int a); int f(int a) { return a; }' >"$work/spotless.c"
for flag in $flags; do
    if ! culprit "$flag" >"$work/$flag.c"; then
        echo "tests/warnings.sh: -W$flag has no source here that it must refuse"
        exit 1
    fi
done

bad=0
complain() {
    echo "$1"
    bad=1
}

# Build everything that can be built with compiler $1, and see which objects are there.
check() {
    local build=$work/$1 flag
    if ! cmake -G Ninja -S "$work" -B "$build" -DCMAKE_C_COMPILER="$1" >"$work/log" 2>&1; then
        cat "$work/log"
        complain "$1: the project cannot be configured"
        return
    fi
    cmake --build "$build" -- -k 0 >"$work/log" 2>&1
    built() { [ -e "$build/CMakeFiles/$1.dir/$2.c.o" ]; }
    built spotless spotless || complain "$1: a clean source does not compile"
    for flag in $flags; do
        if built "with-$flag" "$flag"; then complain "$1: -W$flag is not live"; fi
        built "without-$flag" "$flag" ||
            complain "$1: the source for -W$flag does not compile without it: $(cat "$work/log")"
    done
}

check gcc
compilers=gcc
if command -v clang >/dev/null; then
    check clang
    compilers="gcc and clang"
fi
if [ $bad -eq 0 ]; then echo "$count warnings are live in $compilers"; fi
exit $bad
