"$imsat"
