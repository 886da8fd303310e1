# '-' is the standard input, for data and for labels, compressed or not, and so is a pipe by name.
printf '1,2\n3,4\n' | "$imsat" info -
printf '1,2\n3,4\n' | gzip | "$imsat" info -
mkfifo pipe
printf '1;2;3\n' >pipe &
"$imsat" info pipe
wait
printf 'a\nb\nb\n' >truth
printf '1\n0\n0\n' | "$imsat" eval cluster - truth
"$imsat" eval cluster - - <truth
"$imsat" info - </dev/null
true | "$imsat" info -
printf '1,2\n' | TMPDIR=none "$imsat" info -
