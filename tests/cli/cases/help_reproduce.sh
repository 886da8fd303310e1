"$imsat" help reproduce
