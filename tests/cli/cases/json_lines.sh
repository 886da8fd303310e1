# Lines of JSON are a table like CSV: as data, as labels, and both ways by convert.
cat > people.jsonl << 'END'
{"day":"2020-01-01","height":1.5,"city":"Rome","member":true,"kind":"a"}
{"kind":"b","city":"K\u00f6ln, am \"Rhein\"","height":null,"member":false,"day":"2020-03-01"}

{"day":"2020-03-02","height":1.75,"city":"Rome","member":false,"kind":"b"}
END
try info people.jsonl --label-column kind --per-column
try cluster people.jsonl -k 2 --label-column kind
table="--label-column kind --missing mean --categories one-hot"
"$imsat" convert people.jsonl $table people.csv --labels kinds.jsonl
cat people.csv kinds.jsonl
"$imsat" convert people.csv --label-column label again.jsonl
cat again.jsonl
"$imsat" convert again.jsonl --label-column label again.npy --labels again_kinds.npy
"$imsat" convert people.csv --label-column label people.npy > /dev/null && cmp again.npy people.npy
gzip -c people.jsonl | "$imsat" convert - $table - --format csv 2> /dev/null | cmp - people.csv
# What predict and --labels write is read wherever labels are.
"$imsat" cluster people.jsonl -k 2 --method kmeans $table --truth kinds.jsonl --standardize -q \
    --labels labels.jsonl -o model > /dev/null
"$imsat" predict model people.jsonl -o predicted.jsonl
cmp labels.jsonl predicted.jsonl
"$imsat" eval cluster predicted.jsonl kinds.jsonl | head -n 2
# What is no table.
printf '{"a":1}\n{"a":2,"b":3}\n' > more.jsonl
try info more.jsonl
printf '{"a":1}\n{"a":2,}\n' > broken.jsonl
try info broken.jsonl
