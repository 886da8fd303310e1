# Wrong lines, queries that do not fit, and indexes that are none; no file is left.
codes codes.npy 3 2 128 32 255 224 1 0
codes wide.npy 1 3 1 2 3
"$imsat" index codes.npy -o index > /dev/null
"$imsat" index codes.npy --bits 11 -o eleven > /dev/null
try search index
try search index codes.npy -n 0 -o ids.npy
try search index codes.npy -n some
try search index codes.npy -r -1
try search index codes.npy --method linear
try search index codes.npy --distances d.npy
try search index codes.npy -r 2 -o ids.npy --distances d.npy
try search index codes.npy -o ids.npy --distances ids.npy
try search index - codes.npy -o ids.npy
try search index wide.npy -o ids.npy --distances d.npy
try search index codes.npy wide.npy -o ids.npy
try search eleven wide.npy
codes padded.npy 1 2 0 1
try search eleven padded.npy -o ids.npy
printf '0000000000000000\n000000000000000\n' | try search index - -o ids.npy
printf '0000000000000000\n00000000x0000000\n' | try search index -
printf '\n\n' | try search index -
try search none codes.npy -o ids.npy
try search index none.npy -o ids.npy
try search index codes.npy -o no/folder
try search index codes.npy -o ids.npy --distances no/folder
rm ./*.npy
