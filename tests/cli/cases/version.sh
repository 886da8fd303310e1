"$imsat" --version
