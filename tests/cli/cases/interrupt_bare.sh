# Without a checkpoint nothing is saved, and the message says so.
blobs 90 > blobs.csv
"$imsat" cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 100000 -q \
    -o model --log log.jsonl &
wait_for $! has_lines log.jsonl 2
kill -INT $!
wait $!
echo "exit $?"
