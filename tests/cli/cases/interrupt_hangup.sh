# A terminal that closes: exit 129, a checkpoint, and --resume gives the bytes of a run that was
# never interrupted. Who ignores SIGHUP, as nohup does, is not stopped by it.
blobs 90 > blobs.csv
run="cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 400 -q"
"$imsat" $run -o whole > /dev/null
interrupt HUP 'has_lines log.jsonl 3' \
    env --default-signal=HUP "$imsat" $run -o model --log log.jsonl --checkpoint state
echo "exit $?"
ls
"$imsat" $run -o model --checkpoint state --resume --checkpoint-every 1000 > /dev/null
cmp whole model
trap '' HUP
"$imsat" $run -o other --log other.jsonl > /dev/null &
wait_for $! has_lines other.jsonl 3
kill -HUP $! 2> /dev/null
wait $!
echo "exit $?"
cmp whole other
