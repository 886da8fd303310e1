# Texts become rows: of a folder, of an archive, of JSON lines and of a table; a model takes texts.
mkdir -p texts/space texts/autos
for i in 1 2 3 4 5 6; do
    printf 'From: a\nSubject: b\n\nThe rocket and the moon: orbit %d, rocket\n' "$i" >"texts/space/$i"
    printf 'From: a\nSubject: b\n\nAn engine, a wheel. Cars %d have an engine\n' "$i" >"texts/autos/$i"
done
echo 'the of' >texts/autos/7
"$imsat" features tfidf texts --skip-headers -o x.npy --labels y.npy --documents d.npy --vocabulary v.txt
cat v.txt
"$imsat" info y.npy
tar cf texts.tar texts
"$imsat" features tfidf texts.tar --skip-headers --min-words 2 --words 4 -o x.svmlight -q --json
head -n 2 x.svmlight
"$imsat" cluster texts -k 2 --skip-headers --method kmeans -o model -q >report
grep -E '^(ACC|data)' report
echo '{"text": "My engine!"}' >new.jsonl
printf 'id,body\n1,"a moon, an\norbit"\n2,wheel\n' >new.csv
"$imsat" predict model new.jsonl
"$imsat" predict model new.csv --text-column body
echo 'a rocket' | "$imsat" predict model -
"$imsat" predict model texts | uniq -c
"$imsat" info model | grep '^features'
# What cannot be.
"$imsat" features tfidf texts
"$imsat" features tfidf texts -o x.txt
"$imsat" features tfidf texts -o x.npy --min-words 9
"$imsat" features tfidf new.csv -o x.npy
"$imsat" features tfidf new.jsonl -o x.npy --labels y.npy
"$imsat" info texts/autos
