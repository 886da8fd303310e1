printf '0\n0\n1\n1\n2\n2\n' > predicted.csv
printf '5\n5\n5\n3\n-4\n-4\n' > truth.csv
"$imsat" eval cluster predicted.csv truth.csv --json
