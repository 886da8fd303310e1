"$imsat" help info
"$imsat" info --help | cmp - <("$imsat" help info)
