# A pipe is written to and a link is followed; both stay, and so does a file's mode.
small model --labels labels.npy
predict="predict model blobs.csv --label-column 4"
mkfifo pipe
timeout 60 cat pipe > got &
"$imsat" $predict -o pipe
wait $!
cmp got labels.npy
"$imsat" $predict -o >(cat > got; : > done)
for _ in {1..1000}; do [ -e done ] && break; sleep 0.01; done
cmp got labels.npy
mkdir elsewhere
ln -s elsewhere/target link
"$imsat" $predict -o link
cmp elsewhere/target labels.npy
chmod 640 elsewhere/target
echo old > elsewhere/target
"$imsat" $predict -o link
cmp elsewhere/target labels.npy
stat -c %a elsewhere/target
stat -c %F link pipe
# A device of our own, since /dev/null is not for experiments.
if mknod null c 1 3 2> /dev/null; then
    "$imsat" $predict -o null
    stat -c %F null
else
    echo 'character special file'
fi
rm -r done elsewhere got link null pipe 2> /dev/null
ls -A
