# A line an epoch, every one a JSON object with the same names.
small model --epochs 3 --runs 2 --log log.jsonl
wc -l < log.jsonl
sed 's/:[^,}]*/:/g' log.jsonl | sort -u
sed 's/,"seconds.*//' log.jsonl
