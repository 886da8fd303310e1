# Codes as text, packed either way, and as probabilities all say the same.
"$imsat" hash $data --label-column 64 -b 11 --hidden 48 --epochs 12 -q -o model \
    --codes codes.npy > /dev/null
"$imsat" predict model $data --label-column 64 -o again.npy
cmp codes.npy again.npy
"$imsat" predict model $data --label-column 64 --text > text
"$imsat" predict model $data --label-column 64 | cmp text -
grep -cE '^[01]{11}$' text
"$imsat" predict model $data --label-column 64 -o lsb.npy --bit-order lsb
unpack()
{
    tail -c 3594 "$1" | od -An -v -tu1 -w2 | awk -v lsb="$2" '{
        line = ""
        for (d = 0; d < 16; d++) {
            byte = $(int(d / 8) + 1)
            at = lsb ? d % 8 : 7 - d % 8
            line = line int(byte / 2 ^ at) % 2
        }
        print substr(line, 1, 11), substr(line, 12)
    }'
}
sed 's/$/ 00000/' text > padded
unpack codes.npy 0 | cmp padded -
unpack lsb.npy 1 | cmp padded -
"$imsat" predict model $data --label-column 64 --proba |
    awk -F, '{ line = ""; for (d = 1; d <= NF; d++) line = line ($d > 0.5 ? 1 : 0); print line }' |
    cmp text -
"$imsat" info model | grep -E '^(model|code|kind|net|option.(task|bits|k) |result)' | sed 's/\(result\.[a-z_]* *\).*/\1X/'
