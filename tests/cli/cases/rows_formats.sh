# Rows of results in the format that a name ends in, or that --format says, also on a stream.
small model --labels labels.npy --proba proba.npy
predict="predict model blobs.csv --label-column 4"
"$imsat" $predict > lines
for ending in csv tsv; do
    "$imsat" $predict -o labels.$ending
    head -n 1 labels.$ending
    tail -n +2 labels.$ending | cmp - lines
    "$imsat" eval cluster labels.$ending labels.npy | head -n 1
done
"$imsat" $predict -o labels.jsonl
sed 's/{"label"://; s/}//' labels.jsonl | cmp - lines
"$imsat" $predict -o - --format tsv | cmp - labels.tsv
"$imsat" $predict -o labels --format csv
cmp labels labels.csv
"$imsat" $predict --proba -o - --format jsonl | sed 's/[0-9.e-]*[0-9]/#/g' | uniq
train="cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 -q"
"$imsat" $train --labels again.csv --proba proba.csv > /dev/null
cmp again.csv labels.csv
"$imsat" info proba.csv
# A code is a number for each bit in text.
hash="hash blobs.csv --label-column 4 -b 10 --hidden 8 --epochs 1 -q"
"$imsat" $hash --codes codes.csv -o hash > /dev/null 2>&1
"$imsat" predict hash blobs.csv --label-column 4 > bits
head -n 1 codes.csv
tail -n +2 codes.csv | tr -d , | cmp - bits
"$imsat" predict hash blobs.csv --label-column 4 -o - --format jsonl |
    sed 's/.*\[//; s/[],}]//g' | cmp - bits
# Radii, and answers of a search.
"$imsat" neighbors blobs.csv --label-column 4 -q > radii
"$imsat" neighbors blobs.csv --label-column 4 -q -o radius.csv
head -n 1 radius.csv
tail -n +2 radius.csv | wc -l
codes packed.npy 3 1 0 3 255
"$imsat" index packed.npy -o index > /dev/null
"$imsat" search index packed.npy -n 2 -o ids.csv --distances distances.jsonl
cat ids.csv distances.jsonl
"$imsat" search index packed.npy -r 2 -o - --format tsv
# What is refused, before any work.
try $train --labels labels.txt
try $train --labels labels.csv.gz
try $predict -o labels.npy --format parquet
