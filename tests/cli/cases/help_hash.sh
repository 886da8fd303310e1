"$imsat" hash --help
