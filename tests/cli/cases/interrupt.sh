# Ctrl-C in mid-run: exit 130, a checkpoint, no other output; --resume gives the bytes of a
# run that was never interrupted.
blobs 90 > blobs.csv
run="cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 400 --runs 2 -q"
"$imsat" $run -o whole > whole.txt
interrupt INT 'has_lines log.jsonl 3' \
    "$imsat" $run -o model --labels labels.npy --log log.jsonl --checkpoint state
echo "exit $?"
ls
"$imsat" $run -o model --log log.jsonl --checkpoint state --resume \
    --checkpoint-every 1000 > resumed.txt
cmp whole model
sed 's/, [0-9.]* s$//; /written/d' whole.txt > a
sed 's/, [0-9.]* s$//; /written/d' resumed.txt | diff a -
# Every epoch of both runs is in the log.
sed 's/,"seconds.*//' log.jsonl | sort -u | wc -l
