# An output that is an input or another output is refused, whatever it is called, before
# anything is touched.
small model --labels truth.npy
codes codes.npy 4 2 0 0 255 255 240 0 0 15
printf '0\n1\n2\n3\n' > ids.txt
printf '0\n0\n1\n1\n' > classes.csv
printf '0.5\n0.25\n0.25\n' > prior.csv
"$imsat" neighbors blobs.csv --label-column 4 -q -o radius.npy
"$imsat" index codes.npy -o index
ln -s blobs.csv link
ln blobs.csv hard
mkdir folder
ln -s folder other
sha256sum -- * 2> /dev/null > ../before
cluster="cluster blobs.csv --label-column 4 -k 3"

try $cluster --log ./blobs.csv
try $cluster --log "$PWD/blobs.csv"
try $cluster -o link
try $cluster --labels hard
try $cluster --proba folder/../blobs.csv
try $cluster --checkpoint blobs.csv --resume
try $cluster --truth truth.npy --labels truth.npy
try $cluster --prior prior.csv --log prior.csv
try $cluster --radius radius.npy --labels radius.npy
try $cluster --labels ./s --proba s
try $cluster --labels folder/s --log other/s
try $cluster --checkpoint s -o s
try hash blobs.csv -b 8 --codes blobs.csv
try predict model blobs.csv -o model
try predict model truth.npy blobs.csv -o blobs.csv
try neighbors blobs.csv -o blobs.csv
try index codes.npy -o codes.npy
try index --append codes.npy --ids ids.txt -o ids.txt
try index --delete ids.txt -o ids.txt
try search index codes.npy -o index
try search index codes.npy -o ids.npy --distances codes.npy
try search index - -o ids.txt < ids.txt
try export codes.npy --to sqlite -o codes.npy
try export codes.npy --ids ids.txt --to sqlite -o ids.txt
try eval hash codes.npy classes.csv --split 1 --curves classes.csv
try eval hash --gallery codes.npy classes.csv --queries codes.npy classes.csv --curves codes.npy

sha256sum -- * 2> /dev/null | cmp - ../before
ls -A
# What is meant to be read and written, and what can be written twice.
small /dev/null --labels /dev/null --proba /dev/null --log /dev/null
small again --checkpoint state
small again --checkpoint state --resume
"$imsat" index --append codes.npy -o index
