"$imsat" help cluster
"$imsat" cluster --help | cmp - <("$imsat" help cluster)
