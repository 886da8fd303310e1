"$imsat" help predict
"$imsat" predict --help | cmp - <("$imsat" help predict)
