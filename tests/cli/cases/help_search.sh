"$imsat" help search
"$imsat" search --help | cmp - <("$imsat" help search)
