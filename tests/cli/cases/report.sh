# The page of a report, after training and on its own, and what is refused. What is on it is
# for unit/test_report and make test-page.
gzip -dc "$data" | head -n 300 > some.csv
small='--label-column 64 --image 8x8 --method kmeans --restarts 1 -k 10 -q'
"$imsat" cluster some.csv $small -o model --report page.html | tail -2
tail -n 1 page.html
"$imsat" report model some.csv --label-column 64 --image 8x8 -q -o again.html --threads 1
cmp page.html again.html
trained='--label-column 64 --epochs 4 --runs 3 --hidden 20 -q'
printf '%s\n' 0.3 0.2 0.1 0.4 > prior.csv
"$imsat" cluster some.csv $trained -k 4 --prior prior.csv -o trained --report page.html 2>warnings |
    tail -1
"$imsat" report trained some.csv --label-column 64 -q -o again.html
cmp page.html again.html
grep -c 'class="plot" id="curve-' again.html
"$imsat" info trained | grep history
"$imsat" hash some.csv $trained -b 8 -o trained --report page.html --checkpoint state | tail -1
"$imsat" report trained some.csv --label-column 64 -q -o again.html
cmp page.html again.html
grep -c 'class="plot" id="curve-' again.html
"$imsat" report model some.csv --label-column 64 --title '<b>' --map-rows 100 -q -o - |
    grep -c '&lt;b&gt;'
"$imsat" predict model some.csv --label-column 64 > labels
head -n 3 labels > few
"$imsat" report model some.csv --label-column 64 --truth few -q -o refused.html
"$imsat" report model some.csv --label-column 64 --max-size 10K -q -o refused.html
"$imsat" report model some.csv --label-column 64 -q
"$imsat" report model some.csv --label-column 64 -q -o model
"$imsat" hash some.csv --label-column 64 --method lsh -b 8 -q --report hash.html | tail -1
ls
