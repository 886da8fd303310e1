"$imsat" help export
"$imsat" export --help | cmp - <("$imsat" help export)
