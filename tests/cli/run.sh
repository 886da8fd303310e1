#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Golden tests of the program.
#
#     run.sh [--update] [NAME...]
#
# IMSAT_BUILD is the folder with the programs, IMSAT_SOURCE the root of the sources; the
# defaults are build/ and the tree that this file is in.
#
# cases/NAME.sh runs in an empty folder with the functions of lib.sh and these variables:
#
#     $imsat      the program            $examples   the folder with the examples
#     $data       the bundled digits     $source     the root of the sources
#
# Compared are stdout with NAME.stdout, stderr with NAME.stderr, the exit code with
# NAME.exit (no such file: nothing printed, exit code 0), and, if NAME.files exists, the
# names of the files left behind with it. A line "glob: PATTERN" stands for one line that
# matches a pattern of the shell, in which <number> is a number, with spaces before it or not.
# A case that prints "skip: WHY" as its only line is skipped.
#
# --update writes what came out as what is expected; glob lines that still match stay.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=${IMSAT_SOURCE:-$(cd "$here/../.." && pwd)}
build=${IMSAT_BUILD:-$source/build}
build=$(cd "$build" && pwd) || exit 2
export imsat=$build/imsat examples=$build/examples source
export LC_ALL=C
unset TERM IMSAT_KERNELS NO_COLOR
[ -x "$imsat" ] || { echo "run.sh: no program $imsat; set IMSAT_BUILD" >&2; exit 2; }

update=
[ "${1:-}" = --update ] && { update=1; shift; }

top=$(mktemp -d "${TMPDIR:-/tmp}/imsat-cli.XXXXXX") || exit 2
trap 'rm -rf "$top"' EXIT

# A number: "nan", "inf" and "null" are none.
number='*( )?(-)+([0-9])?(.+([0-9]))?(e?([-+])+([0-9]))'

# fits LINE PATTERN
# shellcheck disable=SC2053 # a pattern is meant
fits()
{
    [[ $1 == ${2//<number>/$number} ]]
}

# matches EXPECTED ACTUAL: compare two files, line by line, with globs.
matches()
{
    local want got
    while IFS= read -r want <&3; do
        IFS= read -r got <&4 || return 1
        case $want in
        'glob: '*) fits "$got" "${want#glob: }" || return 1 ;;
        *) [ "$got" = "$want" ] || return 1 ;;
        esac
    done 3<"$1"
    ! IFS= read -r got <&4 && [ -z "$got" ]
} 4<"$2"

# renew EXPECTED ACTUAL: rewrite EXPECTED; glob lines that match the new line stay.
renew()
{
    local want got
    [ -e "$1" ] || : > "$1"
    while IFS= read -r got; do
        want=
        IFS= read -r want <&3
        case $want in
        'glob: '*) fits "$got" "${want#glob: }" && got=$want ;;
        esac
        printf '%s\n' "$got"
    done <"$2" >"$top/renewed" 3<"$1"
    case $1 in
    *.files) cat "$top/renewed" >"$1" ;;
    *) if [ -s "$top/renewed" ]; then cat "$top/renewed" >"$1"; else rm -f "$1"; fi ;;
    esac
}

# run_case NAME: leaves stdout, stderr, exit and files in $top/NAME.
run_case()
{
    local at=$top/$1
    mkdir -p "$at/work"
    cp "$source/data/digits.csv.gz" "$at/"
    (
        cd "$at/work" || exit 99
        export data=../digits.csv.gz
        bash -u -c '. "$1"; . "$2"' case "$here/lib.sh" "$here/cases/$1.sh"
    ) >"$at/stdout" 2>"$at/stderr" </dev/null
    echo $? >"$at/exit"
    (cd "$at/work" && find . -mindepth 1 | sed 's|^\./||' | sort) >"$at/files"
}

# check NAME KIND: compare one kind of output; says what differs.
check()
{
    local want=$here/cases/$1.$2 got=$top/$1/$2 none=$top/none
    case $2 in
    exit) echo 0 >"$none" ;;
    *) : >"$none" ;;
    esac
    [ "$2" = files ] && [ ! -e "$want" ] && return 0
    if [ -n "$update" ]; then
        if [ ! -e "$want" ] && cmp -s "$none" "$got"; then return 0; fi
        { [ -e "$want" ] && matches "$want" "$got"; } || renew "$want" "$got"
        return 0
    fi
    [ -e "$want" ] || want=$none
    matches "$want" "$got" && return 0
    echo "FAILED $1: $2 differs"
    diff -u "$want" "$got" | sed 's/^/    /'
    return 1
}

# That a pattern can fail, before any is trusted.
for text in 0 -1.5 12.25e-07 '   3'; do
    fits "a: $text," 'a:<number>,' || { echo "run.sh: $text is a number" >&2; exit 2; }
done
for text in null nan -inf '' - 1.2.3 1e 0x1 '"1"'; do
    if fits "a: $text," 'a: <number>,'; then echo "run.sh: $text is no number" >&2; exit 2; fi
done

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for path in "$here"/cases/*.sh; do
        name=${path##*/}
        names+=("${name%.sh}")
    done
fi

failed=0 skipped=0
for name in "${names[@]}"; do
    run_case "$name"
    if [ "$(head -c 5 "$top/$name/stdout")" = 'skip:' ]; then
        echo "skipped $name: $(cut -c 7- "$top/$name/stdout")"
        skipped=$((skipped + 1))
        continue
    fi
    bad=0
    for kind in exit stdout stderr files; do
        check "$name" "$kind" || bad=1
    done
    failed=$((failed + bad))
    rm -rf "${top:?}/$name"
done
echo "${#names[@]} cases, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
