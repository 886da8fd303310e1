"$imsat" help index
"$imsat" index --help | cmp - <("$imsat" help index)
