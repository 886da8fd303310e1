# Several files are one data set, of data and of truth.
blobs 90 > all.csv
head -n 40 all.csv | cut -d, -f1-4 > a.csv
tail -n 50 all.csv | cut -d, -f1-4 > b.csv
cut -d, -f5 all.csv | head -n 10 > t1.csv
cut -d, -f5 all.csv | tail -n 80 > t2.csv
common='-k 3 --hidden 32 --epochs 30 --batch 10 -q'
"$imsat" cluster all.csv --label-column 4 $common -o one | sed 's/, [0-9.]* s$//; /written/d' > one.txt
"$imsat" cluster a.csv b.csv --truth t1.csv --truth t2.csv $common -o two \
    | sed 's/, [0-9.]* s$//; s/ (2 files)//; /written/d' > two.txt
"$imsat" predict one a.csv b.csv -o l1.npy
"$imsat" predict two a.csv b.csv -o l2.npy
cmp l1.npy l2.npy
diff one.txt two.txt
