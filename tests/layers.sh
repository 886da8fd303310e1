#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shape of the source tree:
#   - a folder of src/ includes only itself and folders before it in the list below; cli/,
#     examples/ and python/ see only the public headers, imsat/*.h;
#   - no two source files of src/ use each other, directly or by way of others;
#   - a function im_... is called after its file, or its header lists the prefix;
#   - functions have at most 60 lines, but for those in tests/long_functions.txt ("path name"
#     a line, and no line without need), and files at most 600;
#   - every source of src/ has a test program of its name, or a line in
#     tests/tested_elsewhere.txt that names one, and no line without need;
#   - a library of src/core/feature_list.h is known to one source, which has #if IM_HAVE_ID;
#   - nothing is left to be done later.
# Each problem is printed as file:line. Before the tree is judged, a small tree with one of
# each problem is, so that a check that finds nothing does not pass for clean.
set -u
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}
order="core data features linear neighbors augment sets nn objective train baseline model search evaluate choice plot reproduce report"
parts="src include cli examples python bench tests tools cmake docs CMakeLists.txt README.md"

# Files of the tree in $1 whose names match one of the further patterns.
files() {
    local tree=$1 names=() part
    shift
    for part; do names+=(-o -name "$part"); done
    for part in $parts; do
        if [ -e "$tree/$part" ]; then
            (cd "$tree" && find "$part" -type f \( "${names[@]:1}" \))
        fi
    done | sort
}

# "file:line: folder" of what each source includes from our own folders.
includes() {
    files "$1" '*.c' '*.h' | (cd "$1" && xargs -r awk '
        match($0, /^[ \t]*#[ \t]*include[ \t]*[<"]/) {
            path = substr($0, RLENGTH + 1)
            sub(/[>"].*/, "", path)
            print FILENAME ":" FNR ":" path
        }')
}

check_includes() {
    includes "$1" | awk -F: -v order="$order" '
        BEGIN { n = split(order, names, " "); for (i = 1; i <= n; i++) place[names[i]] = i }
        {
            split($1, file, "/"); split($3, path, "/")
            where = $1 ":" $2 ": "
            outside = file[1] == "cli" || file[1] == "examples" || file[1] == "python"
            internal = path[1] in place || $3 ~ /(^|\/)src\// || $3 ~ /(^|\/)\.\.\//
            if (outside && internal)
                print where $3 " is internal: " file[1] "/ may include only imsat/*.h"
            if (file[1] != "src")
                next
            if (!(file[2] in place))
                print where "src/" file[2] " is not in the order of folders"
            else if (path[1] in place && place[path[1]] > place[file[2]])
                print where "src/" file[2] " may not include " path[1] "/, which comes after it"
            else if ($3 ~ /\.\.\//)
                print where $3 " hides the folder it comes from"
        }'
}

# A function is a line that starts with a letter and has a parenthesis, up to a line that is
# or ends with an opening brace, up to a brace in the first column.
check_functions() {
    files "$1" '*.c' '*.h' | (cd "$1" && xargs -r awk -v limit=60 -v allowed="$2" '
        BEGIN { while ((getline line < allowed) > 0) if (line !~ /^ *(#|$)/) allow[line] = 1 }
        FNR == 1 { start = 0; open = 0 }
        !open && /^[A-Za-z_]/ && /\(/ {
            head = $0
            while (sub(/__attribute__\(\(([^()]|\([^()]*\))*\)\)/, "", head)) { }
            if (match(head, /[A-Za-z_0-9]+[ ]*\(/)) {
                name = substr(head, RSTART, RLENGTH); sub(/[ ]*\(/, "", name); start = FNR
            }
        }
        !open && /;[ \t]*$/ && !/\{/ { start = 0 }
        !open && start && (/^\{/ || /\)[ \t]*\{[ \t]*$/) { open = 1 }
        open && /^\}/ {
            lines = FNR - start + 1; key = FILENAME " " name
            if (lines > limit && !(key in allow))
                print FILENAME ":" start ": " name " has " lines " lines, more than " limit
            if (lines > limit) used[key] = 1
            open = 0; start = 0
        }
        END { for (key in allow) if (!(key in used)) print allowed ":1: " key " is not long" }')
}

check_files() {
    files "$1" '*.c' '*.h' '*.sh' '*.py' '*.cmake' | (cd "$1" && xargs -r awk -v limit=600 '
        FNR == limit + 1 { print FILENAME ":" FNR ": the file has more than " limit " lines" }')
}

# Sources without a test program, and lines of the list that are of no use.
check_tested() {
    local source test name list=tests/tested_elsewhere.txt
    (cd "$1" && find src -name '*.c' | sort) | while read -r source; do
        name=$(basename "$source" .c)
        if [ ! -e "$1/tests/unit/test_$name.c" ] && ! grep -q "^$source " "$1/$list"; then
            echo "$source:1: no tests/unit/test_$name.c, and no line in $list"
        fi
    done
    grep -v '^#' "$1/$list" | while read -r source test; do
        name=$(basename "$source" .c)
        if [ ! -e "$1/$source" ] || [ -e "$1/tests/unit/test_$name.c" ]; then
            echo "$list:1: the line of $source is of no use"
        elif [ ! -e "$1/tests/$test.c" ]; then
            echo "$list:1: there is no tests/$test.c for $source"
        fi
    done
}

check_libraries() {
    local list=src/core/feature_list.h id found
    for id in $(sed -n 's/^IM_FEATURE(\([A-Z0-9]*\),.*/\1/p' "$1/$list"); do
        found=$(cd "$1" && grep -rlE "^#if .*IM_HAVE_$id( |\$)" src | sort | paste -sd' ')
        if [ -z "$found" ] || [ "$found" != "${found% *}" ]; then
            echo "$list:1: IM_HAVE_$id must be asked for in one file, and is in: ${found:-none}"
        fi
    done
}

check_unfinished() {
    local words="TO""DO|FIX""ME|XX""X"
    files "$1" '*.c' '*.h' '*.sh' '*.py' '*.cmake' '*.md' CMakeLists.txt run-tests |
        (cd "$1" && xargs -r grep -nHwE "$words") | sed 's/$/   (unfinished)/'
}

# What the sources of src/ define, declare and use of the names im_* and imsat_*, a line each:
#   define FILE LINE NAME     a function, or a constant with a value, that other files see
#   declare FILE LINE NAME    a function in a header
#   use FILE LINE NAME        any mention
#   prefix FILE LINE PREFIX   from a comment "Prefixes: im_a_, im_b_." in a header
# Comments and strings are dropped; what is between braces is skipped but for the uses.
symbols() {
    files "$1" '*.c' '*.h' | grep '^src/' | (cd "$1" && xargs -r awk '
        function name_of(head) {
            while (sub(/__attribute__[ ]*\(\(([^()]|\([^()]*\))*\)\)/, "", head)) { }
            if (head ~ /=/) {
                sub(/[ ]*(\[[^\]]*\])*[ ]*=.*/, "", head)
                return match(head, /im(sat)?_[a-z0-9_]+$/) ? substr(head, RSTART) : ""
            }
            if (!match(head, /[A-Za-z_0-9]+[ ]*\(/))
                return ""
            head = substr(head, RSTART, RLENGTH)
            sub(/[ ]*\(/, "", head)
            return head ~ /^im(sat)?_/ ? head : ""
        }
        # The text of a file-scope construct has ended with c, a semicolon or an opening brace.
        function finish(c,    name) {
            header = FILENAME ~ /\.h$/
            name = head ~ /(^|[ ])typedef[ ]/ ? "" : name_of(head)
            if (name != "" && header && head ~ /\(/)
                print "declare", FILENAME, FNR, name
            else if (name != "" && c == "{" && head !~ /(^|[ ])static[ ]/)
                print "define", FILENAME, FNR, name
            head = ""
        }
        FNR == 1 { comment = 0; depth = 0; head = ""; directive = 0 }
        /Prefixes: im_/ {
            line = $0
            while (match(line, /im_[a-z0-9_]+/)) {
                print "prefix", FILENAME, FNR, substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
            }
        }
        {
            line = $0
            gsub(/\\./, "", line)
            gsub(/"[^"]*"/, "0", line)
            gsub(/\047[^\047]*\047/, "0", line)
            if (comment) {
                if (!sub(/^.*\*\//, "", line))
                    next
                comment = 0
            }
            while (match(line, /\/\*([^*]|\*[^\/])*\*\//))
                line = substr(line, 1, RSTART - 1) " " substr(line, RSTART + RLENGTH)
            sub(/\/\/.*/, "", line)
            comment = sub(/\/\*.*/, "", line)
            rest = line
            while (match(rest, /im(sat)?_[a-z0-9_]+/)) {
                if (RSTART == 1 || substr(rest, RSTART - 1, 1) !~ /[A-Za-z0-9_]/)
                    print "use", FILENAME, FNR, substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
            }
            directive = line ~ /^[ \t]*#/ || (directive && continued)
            continued = $0 ~ /\\[ \t]*$/
            if (directive)
                next
            while (match(line, /[{};]/)) {
                at = RSTART
                c = substr(line, at, 1)
                if (depth == 0) {
                    head = head " " substr(line, 1, at - 1)
                    if (c != "}")
                        finish(c)
                }
                depth += (c == "{") - (c == "}")
                line = substr(line, at + 1)
                if (depth == 0 && c == "}")
                    head = ""
            }
            if (depth == 0)
                head = head " " line
        }')
}

# Files that use each other, directly or by way of others: every use on such a way.
check_cycles() {
    symbols "$1" | awk '
        $1 == "define" && $2 ~ /\.c$/ { home[$4] = $2 }
        $1 == "use" && $2 ~ /\.c$/ { n++; from[n] = $2; line[n] = $3; name[n] = $4 }
        # Everything that can be reached from `file`, by a search without recursion.
        function reach(start,    todo, top, file, i, k) {
            todo[top = 1] = start
            while (top) {
                file = todo[top--]
                k = split(uses[file], next_file, " ")
                for (i = 1; i <= k; i++)
                    if (!((start, next_file[i]) in reached)) {
                        reached[start, next_file[i]] = 1
                        todo[++top] = next_file[i]
                    }
            }
        }
        END {
            for (i = 1; i <= n; i++) {
                to = home[name[i]]
                if (to != "" && to != from[i] && !((from[i], to) in first)) {
                    first[from[i], to] = i
                    uses[from[i]] = uses[from[i]] " " to
                }
            }
            for (file in uses)
                reach(file)
            for (pair in first) {
                split(pair, ends, SUBSEP)
                i = first[pair]
                if ((ends[2], ends[1]) in reached)
                    print ends[1] ":" line[i] ": a cycle of files: " name[i] " is in " ends[2] ", which uses " ends[1] " in turn"
            }
        }' | sort
}

# A function that crosses files is called after the file that defines it or the header that
# declares it: im_ and at least the first word of its name. Or its header lists the prefix.
check_names() {
    symbols "$1" | awk '
        function words_of(path) { sub(/.*\//, "", path); sub(/\..*/, "", path); return split(path, word, "_") }
        # Whether the name starts with im_ and the first words of the file.
        function fits(name, path,    i, n, prefix) {
            n = words_of(path); prefix = "im"
            for (i = 1; i <= n; i++) {
                prefix = prefix "_" word[i]
                if (index(name "_", prefix "_") == 1)
                    return 1
            }
            return 0
        }
        $1 == "prefix" { prefixes[$2] = prefixes[$2] " " $4 }
        $1 == "declare" && $2 ~ /^src\// && $4 ~ /^im_/ {
            header[$4] = $2
            if (!($4 in source)) { source[$4] = $2; line[$4] = $3 }
        }
        $1 == "define" && $4 ~ /^im_/ && $2 ~ /\.c$/ { source[$4] = $2; line[$4] = $3 }
        END {
            for (name in source) {
                good = !(name in header) || fits(name, source[name]) || fits(name, header[name])
                n = split(prefixes[header[name]], list, " ")
                for (i = 1; i <= n; i++)
                    good = good || index(name, list[i]) == 1
                if (!good)
                    print source[name] ":" line[name] ": " name " is not called after its file, and " header[name] " does not list its prefix"
            }
        }' | sort
}

problems() {
    check_includes "$1"
    check_cycles "$1"
    check_names "$1"
    check_functions "$1" "$1/tests/long_functions.txt"
    check_files "$1"
    check_tested "$1"
    check_libraries "$1"
    check_unfinished "$1"
}

# A cycle of two files and one of three, a name that fits nothing, and what only looks like
# these: names in comments and strings, a macro over two lines, a prefix that is listed.
plant_names() {
    cat >"$1/ring.h" <<'END'
/* Prefixes: im_wheel_. */
int im_ring_a(int x); /* im_lost_too(void); */
int im_wheel_b(int x);
int im_stray(int x);
END
    printf '%s\n' 'int im_ring_a(int x)' '{' '    return im_wheel_b(x);' '}' \
        'int im_stray(int x)' '{' '    return x;' '}' >"$1/ring.c"
    printf '%s\n' '#define SIX(x) \' '    { 6 }' 'int im_wheel_b(' '    int x) {' \
        '    return im_ring_a(x) + im_end_f(x);' '}' >"$1/wheel.c"
    printf 'int im_three_c(int x)\n{\n    return im_four_d(x);\n}\n' >"$1/three.c"
    printf 'const int im_four_d[] = {\n    sizeof im_five_e,\n};\n' >"$1/four.c"
    printf 'int im_five_e(void)\n{\n    return im_three_c(1);\n}\n' >"$1/five.c"
    printf '%s\n' '/* im_ring_a(), and over' ' * two lines im_three_c() */' \
        'static int ring_a(int x)' '{' "    return x == '\"' ? 0 : x;" '}' \
        'int im_end_f(int x)' '{' '    puts("im_wheel_b(1)");' '    return x;' '}' >"$1/end.c"
}

# A tree with one of each problem, beside things that are right.
plant() {
    mkdir -p "$1/src/core" "$1/src/train" "$1/src/odd" "$1/cli" "$1/tests"
    printf '#include "core/a.h"\n#include <stdio.h>\n#include "imsat/imsat.h"\n' >"$1/src/train/good.c"
    printf '\n#include "train/good.h"\n' >"$1/src/core/up.c"
    printf '#include "../core/a.h"\n' >"$1/src/train/dots.c"
    printf '#include "core/a.h"\n' >"$1/src/odd/odd.c"
    printf '#include "args.h"\n#include "imsat/imsat.h"\n#include "core/a.h"\n' >"$1/cli/main.c"
    { echo '__attribute__((format(printf, 1, 2))) static int'; echo 'lengthy(const char *f,'
      echo '        ...)'; echo '{'; yes '    f();' | head -57; echo '}'; } >"$1/src/core/long.c"
    { echo 'int same_line(void) {'; yes '    f();' | head -59; echo '}'; } >"$1/src/core/kr.c"
    { echo 'static int fits(void)'; echo '{'; yes '    f();' | head -57; echo '}'; } >"$1/src/core/fits.c"
    { echo 'int listed(void)'; echo '{'; yes '    f();' | head -70; echo '}'; } >"$1/src/core/listed.c"
    yes '/* line */' | head -601 >"$1/src/core/tall.c"
    echo "/* TO""DO: later */" >"$1/src/core/later.h"
    plant_names "$1/src/core"
    printf 'IM_FEATURE(%s, "x")\n' ONE TWO THREE >"$1/src/core/feature_list.h"
    printf '#if IM_HAVE_%s\n#endif\n' ONE ONE TWO >>"$1/src/core/end.c"
    printf '#if IM_HAVE_TWO\n#endif\n' >>"$1/src/core/five.c"
    printf 'src/core/listed.c listed\nsrc/core/fits.c fits\n' >"$1/tests/long_functions.txt"
    mkdir "$1/tests/unit"
    touch "$1/src/core/alone.c" "$1/tests/unit/test_good.c" "$1/tests/unit/test_up.c"
    { echo '# why'; echo 'src/core/gone.c unit/test_up'; echo 'src/core/up.c unit/test_up'
      echo 'src/core/kr.c unit/test_lost'
      printf 'src/%s.c unit/test_up\n' train/dots odd/odd core/{long,fits,listed,tall} \
          core/{end,five,four,ring,three,wheel}
    } >"$1/tests/tested_elsewhere.txt"
}

expected='cli/main.c:3: core/a.h is internal
feature_list.h:1: IM_HAVE_THREE must .* in: none
feature_list.h:1: IM_HAVE_TWO must .* in: src/core/end.c src/core/five.c
src/core/five.c:3: .*cycle.* im_three_c is in src/core/three.c
src/core/four.c:2: .*cycle.* im_five_e is in src/core/five.c
src/core/ring.c:3: .*cycle.* im_wheel_b is in src/core/wheel.c
src/core/ring.c:6: im_stray is not called after its file
src/core/three.c:3: .*cycle.* im_four_d is in src/core/four.c
src/core/wheel.c:5: .*cycle.* im_ring_a is in src/core/ring.c
later.h:1:.*unfinished
long_functions.txt:1: src/core/fits.c fits is not long
src/core/alone.c:1: no tests/unit/test_alone.c
src/core/kr.c:1: same_line has 61 lines
src/core/long.c:2: lengthy has 61 lines
src/core/tall.c:601: the file has more
src/core/up.c:2: src/core may not include train/
src/odd/odd.c:1: src/odd is not in the order
src/train/dots.c:1: .*hides
tested_elsewhere.txt:1: the line of src/core/gone.c is of no use
tested_elsewhere.txt:1: the line of src/core/up.c is of no use
tested_elsewhere.txt:1: there is no tests/unit/test_lost.c for src/core/kr.c'

self_test() {
    local tree found count=0 bad=0 line
    tree=$(mktemp -d) || return 1
    plant "$tree"
    found=$(problems "$tree")
    while read -r line; do
        count=$((count + 1))
        if ! grep -qE "$line" <<<"$found"; then
            echo "tests/layers.sh:1: does not find '$line'"
            bad=1
        fi
    done <<<"$expected"
    if [ "$(wc -l <<<"$found")" -ne $count ]; then
        printf 'tests/layers.sh:1: finds too much:\n%s\n' "$found"
        bad=1
    fi
    rm -r "$tree"
    return $bad
}

self_test || exit 1
found=$(problems "$root")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
echo "the tree is in order"
