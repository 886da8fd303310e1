"$imsat" help help
"$imsat" help --help | cmp - <("$imsat" help help)
