# Every command and every option is on the page.
"$imsat" help --man > imsat.1
sed -n '1p' imsat.1
for option in $("$imsat" help cluster | sed -n 's/^ .*--\([a-z][a-z-]*\).*/\1/p'); do
    grep -q -- "$(printf '%s' "$option" | sed 's/-/\\\\-/g')" imsat.1 || echo "missing: $option"
done
grep -c '^\.SH IMSAT' imsat.1
if command -v man > /dev/null && command -v groff > /dev/null; then
    man -l --warnings imsat.1 2>&1 > /dev/null
elif command -v mandoc > /dev/null; then
    mandoc -T lint -W error imsat.1
fi
