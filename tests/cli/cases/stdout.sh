# Outputs on the standard output are the bytes that a file would have, and the report is on
# stderr.
small model --labels labels.npy --proba proba.npy --log log.jsonl
codes codes.npy 4 2 0 0 255 255 240 0 0 15
printf '0\n0\n1\n1\n' > classes.csv
"$imsat" neighbors blobs.csv --label-column 4 -q -o radius.npy
"$imsat" index codes.npy -o index > /dev/null
"$imsat" search index codes.npy -n 2 -o ids.npy
"$imsat" search index codes.npy -r 9 -o pairs.npy
"$imsat" export codes.npy --to sqlite -o codes.sql > /dev/null
"$imsat" eval hash codes.npy classes.csv --split 1 --curves curves.csv > score

# same FILE COMMAND...: a pipe gets what the file holds. What is on stderr is kept.
same()
{
    local file=$1
    shift
    "$imsat" "$@" 2> report | cmp - "$file"
}
train="cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 -q"
same model $train -o -
tail -n 1 report
same labels.npy $train --labels - -o /dev/null
tail -n 2 report
same proba.npy $train --proba /dev/fd/1
grep -c '' report
"$imsat" $train --log - 2> report | sed 's/"seconds":[^,]*//' > got
sed 's/"seconds":[^,]*//' log.jsonl | cmp got -
same labels.npy $train --labels - --json
head -n 2 report
same labels.npy predict model blobs.csv --label-column 4 -o -
cat report
same proba.npy predict model blobs.csv --label-column 4 --proba -o /dev/stdout
same radius.npy neighbors blobs.csv --label-column 4 -q -o -
same ids.npy search index codes.npy -n 2 -o -
same pairs.npy search index codes.npy -r 9 -o - --json
head -n 2 report
same codes.sql export codes.npy --to sqlite -o -
cat report
same index index codes.npy -o -
cat report
same curves.csv eval hash codes.npy classes.csv --split 1 --curves -
cmp report score

# A file behind the standard output is written to where the shell stands in it.
{ echo before; "$imsat" predict model blobs.csv --label-column 4 -o -; echo after; } > whole
{ echo before; cat labels.npy; echo after; } | cmp - whole
"$imsat" search index codes.npy -r 9 -o /dev/stdout >> whole
{ echo before; cat labels.npy; echo after; cat pairs.npy; } | cmp - whole
{ echo before; "$imsat" $train --log /dev/fd/3 > /dev/null; } 3> whole >&3
wc -l < whole

# What cannot be.
try $train --labels - --proba - | cat
try $train --checkpoint -
try $train --checkpoint /dev/null
try index --append codes.npy -o -
"$imsat" predict model blobs.csv -o - >&-
echo "exit $?"
