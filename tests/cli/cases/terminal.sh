# On a terminal one line is rewritten and never wider than the terminal; TERM=dumb and -q
# forbid it.
script -qec true /dev/null > /dev/null 2>&1 || { echo "skip: no pseudo-terminal by script(1)"; exit; }
blobs 90 > blobs.csv
run="$imsat cluster blobs.csv --label-column 4 -k 3 --hidden 64,64 --epochs 600 --json"
on_terminal() # TERM COMMAND: what is drawn, a line each
{
    TERM=$1 script -qec "stty cols 60; $2" /dev/null | tr '\r' '\n'
}
on_terminal xterm "$run" > drawn
grep -q '^run 1/1 epoch [0-9]*/600 \[=*>* *\]' drawn && echo "a bar"
grep '^run' drawn | awk 'length > 59'
on_terminal dumb "$run" | grep '^run' | sed 's/objective.*//'
on_terminal xterm "$run -q" | grep "^run"
true
