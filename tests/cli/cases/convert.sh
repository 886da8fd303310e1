# Data in other formats, and back.
blobs 12 | awk -F, -v OFS=, '{ $1 = NR % 3 ? 0 : $1; $2 = 0; print }' > rows.csv
convert="convert rows.csv --label-column 4"
for name in x.npy x.npz x.tsv x.jsonl x.svm x.mtx x.idx x.fvecs x.fbin; do
    "$imsat" $convert $name -q
done
head -n 2 x.tsv x.jsonl x.svm
"$imsat" convert x.npz back.csv
"$imsat" convert x.tsv --label-column label - --format csv 2> report | cmp - back.csv
cat report
"$imsat" convert x.svm sparse.npz
"$imsat" info sparse.npz
"$imsat" convert sparse.npz again.svm
cmp again.svm x.svm
"$imsat" convert x.fvecs again.fbin
cmp again.fbin x.fbin
# Several files are joined; labels that have no place go to a file of their own.
"$imsat" convert x.svm x.svm both.npy
"$imsat" convert x.svm both.idx --labels y.csv --json
"$imsat" eval cluster y.csv x.npz | head -n 1
cat x.npy | "$imsat" convert - - --format fvecs 2> /dev/null | cmp - x.fvecs
# What cannot be.
try convert x.npy x.npy
try convert x.npy x.bvecs
try convert x.npy x.parquet
try convert x.npy
try convert x.svm y.npy --labels y.svm
try convert x.npy y.npy --labels y.npy
ls
