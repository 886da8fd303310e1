# A file of codes may be data, too; an index is one thing only.
codes codes.npy 3 2 128 32 255 224 1 0
"$imsat" info codes.npy
"$imsat" info codes.npy --json
"$imsat" index codes.npy --bits 11 -o index > /dev/null
"$imsat" info index
"$imsat" info index --json
