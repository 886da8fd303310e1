# predict says the same as --labels and --proba, as a file and as text.
small model --labels labels.npy --proba proba.npy
"$imsat" predict model blobs.csv --label-column 4 -o again.npy
cmp labels.npy again.npy
"$imsat" predict model blobs.csv --label-column 4 --proba -o again_proba.npy
cmp proba.npy again_proba.npy
"$imsat" predict model blobs.csv --label-column 4 > labels.csv
"$imsat" eval cluster labels.npy labels.csv
"$imsat" predict model blobs.csv --label-column 4 --proba > proba.csv
awk -F, '{ best = 1; sum = 0
           for (j = 1; j <= NF; j++) { sum += $j; if ($j > $best) best = j }
           if (NF != 3 || sum < 0.9999 || sum > 1.0001) print "row " NR ": " $0
           print best - 1 }' proba.csv | cmp - labels.csv
# A row's label does not depend on the other rows.
head -n 7 blobs.csv > seven.csv
"$imsat" predict model seven.csv --label-column 4 | cmp - <(head -n 7 labels.csv)
