printf '0\n0\n1\n1\n2\n2\n' > predicted.csv
printf '5\n5\n5\n3\n' > truth1.csv
printf '%s\n' -4 -4 > truth2.csv
"$imsat" eval cluster predicted.csv truth1.csv truth2.csv
