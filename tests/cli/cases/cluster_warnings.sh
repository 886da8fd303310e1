# More clusters than the data has, training too short for the runs to agree, and a prior
# that cannot be reached in so little time.
blobs 60 > blobs.csv
"$imsat" cluster blobs.csv -k 12 --hidden 4 --epochs 2 --runs 3 -q > /dev/null
printf '0.98\n0.01\n0.01\n' > prior.csv
"$imsat" cluster blobs.csv -k 3 --hidden 4 --epochs 1 -q --prior prior.csv --mu auto > /dev/null
