"$imsat" hash $data --label-column 64 -b 11 --hidden 48 --epochs 12 --runs 2 -o model \
    --codes codes.npy --proba proba.npy --log log.jsonl
"$imsat" info codes.npy | sed -n 1p
"$imsat" info proba.npy | sed -n 1p
# A line of the log has the terms of bits.
head -n 1 log.jsonl | sed 's/:[^,}]*//g'
