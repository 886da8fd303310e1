"$imsat" help data prepare
