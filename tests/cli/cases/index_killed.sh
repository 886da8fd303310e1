# A program that is killed while it writes leaves the old index.
codes codes.npy 4 2 0 0 255 255 240 0 0 15
"$imsat" index codes.npy -o index
cp index old
rows=30000
{ npy_header '|u1' "($rows, 2)"; } > more.npy
truncate -s $((128 + rows * 2)) more.npy
# The system kills a process that writes more than 64 KiB.
{
    (ulimit -c 0; ulimit -f 64; exec "$imsat" index --append more.npy -o index)
    code=$?
} 2> /dev/null
echo "killed by signal $((code - 128))"
ls -A | sed 's/-[0-9a-f]*-[0-9a-f]*\.tmp/-NAME-RANDOM.tmp/'
cmp old index
echo 0000000000000000 | "$imsat" search index - -n 1
# Killed at any other moment, too: there is the old index, or the new one.
for delay in 0 0.002 0.005 0.01 0.02 0.05 0.1; do
    cp old index
    "$imsat" index --append more.npy -o index > /dev/null &
    sleep $delay
    kill -9 $! 2> /dev/null
    wait $! 2> /dev/null
    case $("$imsat" info index) in
    'index: 4 codes of 16 bits'* | 'index: 30004 codes of 16 bits'*) ;;
    *) echo "neither the old index nor the new one" ;;
    esac
done 2> /dev/null
rm -f more.npy
cp old index
# The next one that writes it removes what the killed ones left.
try index --append codes.npy -o index
ls -A
