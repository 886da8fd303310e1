# Stopped in the second run; and SIGTERM is 143.
blobs 90 > blobs.csv
run="cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 200 --runs 3 -q"
"$imsat" $run -o whole > /dev/null
interrupt TERM 'has_lines log.jsonl 203' \
    "$imsat" $run -o model --log log.jsonl --checkpoint state
echo "exit $?"
"$imsat" $run -o model --checkpoint state --resume --threads 1 \
    --checkpoint-every 1000 > /dev/null
cmp whole model
