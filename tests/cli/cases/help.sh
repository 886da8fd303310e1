"$imsat" help
"$imsat" --help | cmp - <("$imsat" help)
"$imsat" -h | cmp - <("$imsat" help)
