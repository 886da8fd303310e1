# The page in docs/ is what the program prints.
"$imsat" help --markdown | diff "$source/docs/cli.md" -
