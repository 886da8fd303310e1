# A line an epoch, every one a JSON object with the same names. The warnings are right: so
# few epochs are not enough.
small model --epochs 3 --runs 2 --log log.jsonl 2> /dev/null
wc -l < log.jsonl
sed 's/:[^,}]*/:/g' log.jsonl | sort -u
sed 's/,"seconds.*//' log.jsonl
