# A line an epoch, every one a JSON object with the same names. The warnings are right: so
# few epochs are not enough.
small model --epochs 3 --runs 2 --log log.jsonl 2> /dev/null
wc -l < log.jsonl
sed 's/:[^,}]*/:/g' log.jsonl | sort -u
sed 's/,"seconds.*//' log.jsonl
# A log that cannot be written is a failure, and nobody says that it was.
[ -w /dev/full ] || { echo "skip: no /dev/full"; exit; }
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10 -q \
    --labels labels.npy --log /dev/full > report
echo "exit $?"
grep written report
wc -c < labels.npy
