"$imsat" help convert
"$imsat" convert --help | cmp - <("$imsat" help convert)
