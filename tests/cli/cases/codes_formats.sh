# Codes and ids from other files than .npy, by names inside, and as bits.
cp "$source/tests/data/several.npz" "$source/tests/data/several.mat" .
"$imsat" index several.npz:bytes -o packed
"$imsat" index several.mat:odd -o bits
printf 'id\n7\n3\n' >ids.csv
printf 'bit0,bit1,bit2\n0,1,1\n1,0,0\n' >codes.csv
"$imsat" index codes.csv --ids ids.csv -o table
"$imsat" search table codes.csv -n 1
"$imsat" info codes.csv
"$imsat" index codes.csv --ids several.npz:none -o table
