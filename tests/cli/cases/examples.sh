blobs 30 | cut -d, -f1-4 > blobs.csv
"$examples/example_01_cluster" blobs.csv 3 > labels.csv
echo "exit $?"
wc -l < labels.csv
sort -u labels.csv | wc -l
"$examples/example_01_cluster" nothing.csv
echo "exit $?"
"$examples/example_02_own_augmentation" $data 64 2 > once
echo "exit $?"
"$examples/example_02_own_augmentation" $data 64 2 | cmp once -
cat once
"$examples/example_02_own_augmentation" blobs.csv 0 2
echo "exit $?"
"$examples/example_03_hash_and_search" $data 64 20
echo "exit $?"
