small model
"$imsat" info model
"$imsat" info model --json | sed 's/: .*//'
