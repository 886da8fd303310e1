"$imsat" help neighbors
"$imsat" neighbors --help | cmp - <("$imsat" help neighbors)
