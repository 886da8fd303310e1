"$imsat" help eval cluster
"$imsat" eval cluster -h | cmp - <("$imsat" help eval cluster)
