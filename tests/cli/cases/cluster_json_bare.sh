# One run, no truth: no runs, no agreement, no scores.
blobs 90 | cut -d, -f1-4 > blobs.csv
"$imsat" cluster blobs.csv -k 3 --method linear-rim --epochs 60 --batch 10 -q --json
