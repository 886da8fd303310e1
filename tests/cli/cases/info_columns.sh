# Any file is described: what is missing, columns, labels, and what is inside of it.
cat > table.csv << 'END'
id,age,town,since,class
0,3,Rome,2020-01-01,b
1,,Oslo,2021-01-01,a
2,-4,Bern,NA,b
3,0,Rome,2022-06-30,b
END
"$imsat" info table.csv --label-column class --per-column
"$imsat" info table.csv --label-column class --per-column --columns age --json
"$imsat" info table.csv --missing drop --categories one-hot --per-column
printf '1 1:2 900000:-1\n0\n1 900000:5\n' > sparse.svm
"$imsat" info sparse.svm
"$imsat" info sparse.svm --per-column | tail -n 1
{ npy_header '<f4' '(2, 2)'; bytes 0 0 128 63 0 0 192 127 0 0 128 255 0 0 0 0; } > nan.npy
"$imsat" info nan.npy
try cluster nan.npy -k 2
cp "$source"/tests/data/{several,deflated}.npz .
"$imsat" info several.npz
"$imsat" info several.npz:bytes
"$imsat" info several.npz --json
"$imsat" info deflated.npz
try info several.npz --label-column z
