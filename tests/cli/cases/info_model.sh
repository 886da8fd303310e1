small model
"$imsat" info model > text
head -n 1 text
grep -E '^(kind|net.dim|net.hidden.0|option.(k|method|seed)|version) ' text
"$imsat" info model --json > json
head -n 6 json
grep -E '"(kind|net.dim|net.hidden.0|option.(k|method|seed)|version)"' json
