#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the pages say of the tree is so:
#   - the folders of src/ in ARCHITECTURE.md are those there are, in the order that
#     tests/layers.sh enforces; so are the folders at the top of the tree, the scripts of
#     tools/ and the pages of docs/;
#   - every path in backquotes or in a link of README.md, ARCHITECTURE.md, CONTRIBUTING.md,
#     CHANGELOG.md and docs/*.md exists;
#   - docs/cli.md is what the program prints;
#   - docs/formats.md has a row for every format that the program reads;
#   - the C program in README.md compiles;
#   - the tables of docs/results.md are those of the cells in docs/cells, all of which are read;
#   - the functions that docs/theory.md names exist, and the tests that docs/security.md does,
#     and no fuzz target is missing there.
# Before the tree is judged, a small tree with one of each problem is, so that a check that
# finds nothing does not pass for true.
set -u
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}
build=${IMSAT_BUILD:-$root/build}

pages() {
    (cd "$1" && ls README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md docs/*.md 2>/dev/null)
}

check_folders() {
    local listed found order
    listed=$(sed -n 's|^    src/\([a-z]*\) .*|\1|p' "$1/ARCHITECTURE.md")
    order=$(sed -n 's/^order="\(.*\)"/\1/p' "$1/tests/layers.sh")
    found=$(for folder in $order; do if [ -d "$1/src/$folder" ]; then echo "$folder"; fi; done)
    if [ "$listed" != "$found" ]; then
        echo "ARCHITECTURE.md: lists the folders" $listed "but src/ has" $found
    fi
}

# The folders at the top of the tree, but those that are built.
check_top() {
    local listed found
    listed=$(sed -n 's|^    \([a-z]*\)/.*|\1|p' "$1/ARCHITECTURE.md" | sort -u | paste -sd' ')
    found=$(cd "$1" && find . -mindepth 1 -maxdepth 1 -type d -not -name '.*' -not -name build \
        -not -name imsat-demo -printf '%f\n' | sort | paste -sd' ')
    if [ "$listed" != "$found" ]; then
        echo "ARCHITECTURE.md: lists the folders $listed but the tree has $found"
    fi
}

# check_files TREE FOLDER PATTERN: the line "    folder/   one, two" names the files there are,
# without their endings.
check_files() {
    local listed found
    listed=$(sed -n "s|^    $2/  *||p" "$1/ARCHITECTURE.md" | tr -d ',')
    found=$(find "$1/$2" -maxdepth 1 -type f -name "$3" -printf '%f\n' 2>/dev/null |
        sed 's|\..*||' | sort | paste -sd' ')
    if [ "$listed" != "$found" ]; then
        echo "ARCHITECTURE.md: lists $listed in $2/ but there are $found"
    fi
}

# "file:line:path" of what looks like a path of the tree: its first part is a name at the top
# of the tree, or it has a slash and the ending of a source or a page. What is built does not
# count.
named_paths() {
    local top page
    top=$(cd "$1" && find . -mindepth 1 -maxdepth 1 -printf '%f\n' |
        grep -vxE 'build|imsat-demo|\.git' | sed 's/\./\\./g' | paste -sd'|')
    for page in $(pages "$1"); do
        (cd "$1" && grep -noE '`[A-Za-z.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]*)*`' "$page" | tr -d '`' |
            grep -E "^[0-9]+:(($top)(/.*)?|.*/.*\.(c|h|sh|md))$" |
            sed "s|^|$page:|")
        (cd "$1" && grep -noE '\]\([^)#:]+\)' "$page" | sed -e 's/](//' -e 's/)$//' -e "s|^|$page:|")
    done
}

check_paths() {
    named_paths "$1" | while IFS=: read -r page line path; do
        if [ ! -e "$1/$path" ] && [ ! -e "$1/$(dirname "$page")/$path" ] &&
            [ ! -e "$1/include/$path" ] && [ ! -e "$1/src/$path" ]; then
            echo "$page:$line: $path does not exist"
        fi
    done
}

check_commands() {
    if ! cmp -s <("$build/imsat" help --markdown) "$1/docs/cli.md"; then
        echo "docs/cli.md: is not what 'imsat help --markdown' prints"
    fi
}

# Every format that the program reads has its row in the table of docs/formats.md.
check_formats() {
    local name lacks=
    for name in $("$build/imsat" help --markdown |
        sed -n '/^### Formats of data/,/^### Examples/s/^- `\([a-z0-9]*\)`:.*/\1/p'); do
        grep -q "^| \`$name\` |" "$1/docs/formats.md" 2>/dev/null || lacks="$lacks $name"
    done
    if [ -n "$lacks" ]; then
        echo "docs/formats.md: has no row for$lacks"
    fi
}

check_program() {
    local program
    program=$(sed -n '/^```c$/,/^```$/p' "$1/README.md" | grep -v '^```')
    if [ -z "$program" ]; then
        echo "README.md: has no program in C"
    elif ! "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I "$1/include" -x c - \
        <<<"$program" 2>/dev/null; then
        echo "README.md: the program in C does not compile"
    fi
}

check_functions() {
    local name
    for name in $(grep -oE '`im(sat)?_[a-z0-9_]+`' "$1/docs/theory.md" | tr -d '`' | sort -u); do
        if ! grep -rqwE "$name" "$1/src"; then
            echo "docs/theory.md: $name is not in src/"
        fi
    done
}

# `unit/test_x`, `fuzz/x` and `kill/x` are programs of tests/, `cases/x` is one of tests/cli. Every
# reader has its fuzz target: none may be missing on the page.
check_tests() {
    local test file
    for file in "$1"/tests/fuzz/target_*.c; do
        test=${file##*/target_}
        if ! grep -q "\`fuzz/${test%.c}\`" "$1/docs/security.md"; then
            echo "docs/security.md: does not name fuzz/${test%.c}"
        fi
    done
    for test in $(grep -oE '`(unit|fuzz|kill|cases)/[a-z_0-9]+`' "$1/docs/security.md" | tr -d '`' | sort -u); do
        case $test in
        fuzz/*) file=tests/fuzz/target_${test#fuzz/}.c ;;
        cases/*) file=tests/cli/$test.sh ;;
        *) file=tests/$test.c ;;
        esac
        if [ ! -e "$1/$file" ]; then
            echo "docs/security.md: there is no test $test"
        fi
    done
}

# A table between "<!-- cells WHAT OPTIONS -->" and "<!-- end of cells -->" is what 'imsat
# reproduce WHAT OPTIONS --tables markdown' prints of docs/cells/WHAT.
check_tables() {
    local page=$1/docs/results.md line what options table
    grep -noE '^<!-- cells .* -->' "$page" 2>/dev/null | while IFS=: read -r line table; do
        read -r what options <<<"$(sed -e 's/^<!-- cells //' -e 's/ -->$//' <<<"$table")"
        # shellcheck disable=SC2086 # options are words
        if ! cmp -s <("$build/imsat" reproduce "$what" $options --tables markdown -o "$1/docs/cells/$what" 2>&1) \
            <(sed -n "$((line + 1)),\$p" "$page" | sed '/^<!-- end of cells -->/,$d'); then
            echo "docs/results.md:$line: is not the table of docs/cells/$what"
        fi
    done
}

# Every cell is one of its experiment, and is read: as many trials are in the tables as there
# are files.
check_cells() {
    local folder what files trials
    for folder in "$1"/docs/cells/*/; do
        [ -d "$folder" ] || continue
        what=$(basename "$folder")
        files=$(find "$folder" -type f -name '*-seed*' | wc -l)
        trials=$(for sets in '' '--dataset digits'; do
            # shellcheck disable=SC2086 # an option and its value, or none
            "$build/imsat" reproduce "$what" $sets --tables csv -o "$folder" 2>/dev/null
        done | sed 's/"[^"]*"//' | awk -F, '$6 == "acc" || $6 == "map_block" { n += $11 } END { print n + 0 }')
        if [ "$files" != "$trials" ]; then
            echo "docs/cells/$what: has $files files, and $trials of them are cells that can be read"
        fi
    done
}

# Pages with one of each problem, beside things that are right.
plant() {
    mkdir -p "$1/src/core" "$1/src/odd" "$1/docs" "$1/tests" "$1/include" "$1/tools"
    echo 'order="core data odd"' >"$1/tests/layers.sh"
    printf '    src/core   one\n    src/data   two\n    tests/ a\n    include/ b\n' >"$1/ARCHITECTURE.md"
    printf '    tools/  lint, one\n    docs/   cli, results, security, theory\n    gone/  c\n' >>"$1/ARCHITECTURE.md"
    touch "$1/tools/lint" "$1/tools/two"
    printf '`src/core` `src/gone.c` `1/n`\n[a](docs/no.svg)\n```c\nint x = y;\n```\n' >"$1/README.md"
    printf '`im_there` `im_lost`\n' >"$1/docs/theory.md"
    echo 'void im_there(void);' >"$1/src/core/a.h"
    echo '`unit/test_here` `fuzz/here` `fuzz/lost` `cases/here` `cases/lost`' >"$1/docs/security.md"
    mkdir -p "$1/tests/unit" "$1/tests/fuzz" "$1/tests/cli/cases"
    touch "$1/tests/unit/test_here.c" "$1/tests/cli/cases/here.sh"
    touch "$1/tests/fuzz/target_here.c" "$1/tests/fuzz/target_new.c"
    echo 'old' >"$1/docs/cli.md"
    mkdir -p "$1/docs/cells/hash16"
    echo '{}' >"$1/docs/cells/hash16/hash16-mnist-itq-seed2.json"
    printf '<!-- cells toy -->\n| 1 |\n<!-- end of cells -->\n' >"$1/docs/results.md"
}

expected='ARCHITECTURE.md: lists the folders core data but src/ has core odd
ARCHITECTURE.md: lists the folders docs gone include src tests tools but the tree has docs include src
ARCHITECTURE.md: lists lint one in tools/ but there are lint two
README.md:1: src/gone.c does not exist
README.md:2: docs/no.svg does not exist
docs/cli.md: is not what
docs/formats.md: has no row for npy
README.md: the program in C does not compile
docs/theory.md: im_lost is not in src/
docs/security.md: does not name fuzz/new
docs/results.md:1: is not the table of docs/cells/toy
docs/cells/hash16: has 1 files, and 0 of them are cells that can be read
docs/security.md: there is no test cases/lost
docs/security.md: there is no test fuzz/lost'

problems() {
    check_folders "$1"
    check_top "$1"
    check_files "$1" tools '*'
    check_files "$1" docs '*.md'
    check_paths "$1"
    check_commands "$1"
    check_formats "$1"
    check_program "$1"
    check_tables "$1"
    check_cells "$1"
    check_functions "$1"
    check_tests "$1"
}

self_test() {
    local tree found line bad=0
    tree=$(mktemp -d) || return 1
    plant "$tree"
    found=$(problems "$tree")
    rm -r "$tree"
    while read -r line; do
        if ! grep -qF "$line" <<<"$found"; then
            echo "tests/docs.sh: does not find '$line'"
            bad=1
        fi
    done <<<"$expected"
    if [ "$(wc -l <<<"$found")" -ne "$(wc -l <<<"$expected")" ]; then
        printf 'tests/docs.sh: finds too much:\n%s\n' "$found"
        bad=1
    fi
    return $bad
}

self_test || exit 1
found=$(problems "$root")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
echo "the pages are true"
