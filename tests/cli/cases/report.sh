# The page of a report, after training and on its own, and what is refused. What is on it is
# for unit/test_report and make test-page.
small='--label-column 64 --image 8x8 --method kmeans --restarts 1 -k 10 -q'
"$imsat" cluster $data $small -o model --report page.html | tail -2
tail -n 1 page.html
"$imsat" report model $data --label-column 64 --image 8x8 -q -o again.html --threads 1
cmp page.html again.html
"$imsat" report model $data --label-column 64 --title '<b>' --map-rows 100 -q -o - |
    grep -c '&lt;b&gt;'
"$imsat" predict model $data --label-column 64 > labels
head -n 3 labels > few
"$imsat" report model $data --label-column 64 --truth few -q -o refused.html
"$imsat" report model $data --label-column 64 --max-size 10K -q -o refused.html
"$imsat" report model $data --label-column 64 -q
"$imsat" report model $data --label-column 64 -q -o model
"$imsat" hash $data --label-column 64 --method lsh -b 8 -q --report hash.html | tail -1
ls
