# Two methods on three clusters, with the classes of a column beside; and the command to run, which
# has the options that say how rows are read.
blobs 120 > 'the blobs.csv'
"$imsat" compare 'the blobs.csv' --label-column 4 -k 3 --methods kmeans,spectral --seed 2 -q \
    -o compare.json | sed 's/^time .*/time X/'
sed 's/"seconds":[0-9.e-]*/"seconds":X/g' compare.json
echo
"$imsat" compare 'the blobs.csv' --label-column 4 -k 3 --methods kmeans --json -q |
    grep -E '"(best|k|structure|left_out)"'
