# Results beside the rows of the input, which are copied as they are written.
cat > people.csv << 'END'
# of the register
name, age ,town,label
Ann,3,"Rome, old",x
Bob,,Oslo,y

Cy,4,Rome,x
Dan,30,Oslo,y
Eve,31,Oslo,y
END
train="--label-column label --drop name --categories one-hot --missing drop -q"
"$imsat" cluster people.csv -k 2 --method kmeans $train --join joined.csv -o model > /dev/null
cat joined.csv
"$imsat" predict model people.csv --missing drop --join - 2> /dev/null | cmp - joined.csv
# A row unlike all others is far from them, however sure the model is; columns in any order.
printf 'town\tage\nOslo\t3000\nRome\t5\n' > new.tsv
"$imsat" predict model new.tsv --join - -o labels.csv
cat labels.csv
"$imsat" predict model new.tsv --join numbers.jsonl
cat numbers.jsonl
# JSON lines.
printf '%s\n' '{"text": "red apples and pears"}' '{"text": "green pears, red apples"}' '' \
    '{"text": "cars and roads"}' '{"text": "roads for cars", "label": 1}' > texts.jsonl
"$imsat" cluster texts.jsonl -k 2 --method kmeans -q --join - 2> /dev/null |
    sed 's/0\.9[0-9]*/0.9/; s/1\.0[0-9]*/1/'
printf '%s\n' '{"a":1, "b":[2,3]}' '' '{"b":[2,4], "a":1.5 }' '{"a":9,"b":[8,7]}' > rows.jsonl
"$imsat" cluster rows.jsonl -k 2 --method kmeans -q --join - 2> /dev/null |
    sed 's/0\.9[0-9]*/0.9/; s/1\.0[0-9]*/1/'
# Other data, by the numbers of its columns.
{ npy_header '<f4' '(3, 1)'; bytes 0 0 128 63 0 0 0 64 0 0 0 65; } > x.npy
"$imsat" cluster x.npy -k 2 --method kmeans -q --join x.tsv > /dev/null
sed 's/\t0\.[0-9]*\t/\t#\t/' x.tsv
# What cannot be.
try predict model new.tsv --join x.npy
try predict model new.tsv --join new.tsv
cat new.tsv | try predict model - --join out.csv
"$imsat" hash x.npy -b 2 --method linear-rim --epochs 1 -q -o hash > /dev/null 2>&1
try predict hash x.npy --join out.csv
ls
