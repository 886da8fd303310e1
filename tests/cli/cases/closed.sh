# Streams that are closed when the program starts: no file of ours takes their place.
blobs 90 > blobs.csv
train="cluster blobs.csv --label-column 4 -k 3 --hidden 32 --epochs 30 --batch 10"
"$imsat" $train --log log.jsonl > /dev/null 2>&-
echo "exit $?"
grep -c '^{"run":0,.*}$' log.jsonl
wc -l < log.jsonl
"$imsat" $train -q --labels labels.npy >&-
echo "exit $?"
wc -c < labels.npy
"$imsat" $train -q --labels labels.npy <&- > /dev/null
wc -c < labels.npy
echo 0 | "$imsat" info blobs.csv <&- >&- 2>&-
echo "exit $?"
