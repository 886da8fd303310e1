try cluster nothing.csv -k 3 -o model --labels labels.npy --log log.jsonl
