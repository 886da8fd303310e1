# The same model for any number of threads, and across Ctrl-C and --resume.
run="hash $data --label-column 64 -b 16 --hidden 48,32 --epochs 12 -q"
for threads in 1 2 3; do
    "$imsat" $run --threads $threads -o model$threads > /dev/null
done
cmp model1 model2 && cmp model1 model3
interrupt INT 'has_lines log.jsonl 2' \
    "$imsat" $run -o model --codes codes.npy --log log.jsonl --checkpoint state
echo "exit $?"
ls
"$imsat" $run -o model --log log.jsonl --checkpoint state --resume > /dev/null
cmp model1 model
