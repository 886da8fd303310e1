"$imsat" help eval hash
"$imsat" eval hash -h | cmp - <("$imsat" help eval hash)
