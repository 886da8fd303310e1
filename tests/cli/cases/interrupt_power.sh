# Ctrl-C in the first step of a training, whose power iterations would take minutes: exit 130, a
# checkpoint, and no epoch in the log.
blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 2 --batch 90 \
    --power 1000000 -o model --checkpoint state --log log.jsonl 2> told &
wait_for $! grep -qs 'neighbor radius' told
kill -INT $!
wait $!
echo "exit $?"
sed '/neighbor radius/d' told
wc -l < log.jsonl
ls
