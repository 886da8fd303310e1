"$imsat" help data fetch
