# One process at a time changes an index. The others are told, or wait; readers do neither.
command -v flock > /dev/null || { echo 'skip: there is no flock'; exit 0; }
{ npy_header '|u1' '(300, 2)'; seq 300 | awk '{ printf "%c%c", 33 + $1 % 90, 33 + int($1 / 4) }'; } > codes.npy
codes more.npy 3 2 0 0 0 1 255 255
printf '7\n' > ids.txt
"$imsat" index codes.npy -o index
cp index old
exec 9<> index # this shell holds the lock from here on
flock 9
try index --append more.npy -o index
try index --delete ids.txt -o index
try index codes.npy -o index
"$imsat" info index
cmp old index
# A signal ends the wait, and nothing was done. It is sent when the program catches both.
for signal in INT TERM; do
    "$imsat" index --append more.npy --wait -o index 9>&- &
    until grep -qE '^SigCgt:.*[4567cdef]..[2367abef]$' /proc/$!/status; do sleep 0.01; done
    kill -"$signal" $!
    wait $!
    echo "exit $?"
done
cmp old index
# It waits until the other one is done.
for line in '--append more.npy' codes.npy '--delete ids.txt'; do
    # shellcheck disable=SC2086 # some words
    "$imsat" index $line --wait -o index 9>&- &
    sleep 0.1
    kill -0 $! || echo "it did not wait"
    exec 9>&-
    wait $!
    echo "exit $?"
    exec 9<> index
    flock 9
done
exec 9>&-
# Eight at once: what was said to be added is there.
cp old index
for i in 1 2 3 4 5 6 7 8; do
    "$imsat" index --append more.npy -o index > "said.$i" 2> "why.$i" &
done
wait
added=$(cat said.* | wc -l)
refused=$(cat why.* | grep -c 'is being changed by another process')
[ "$added" -gt 0 ] && [ "$((added + refused))" -eq 8 ] || cat why.*
"$imsat" info index | grep -qx "index: $((300 + 3 * added)) codes of 16 bits" || "$imsat" info index
cp old index
for i in 1 2 3 4 5 6 7 8; do
    "$imsat" index --append more.npy --wait -o index > /dev/null &
done
wait
"$imsat" info index
rm -f said.* why.* ./*.npy ids.txt old
