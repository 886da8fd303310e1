# Refused before the data is looked at.
for option in -o --labels --proba --log --checkpoint; do
    try cluster nothing.csv -k 3 $option no/such/folder/file
done
try predict nothing nothing.csv -o no/such/folder/file
try neighbors nothing.csv -o no/such/folder/file
mkdir folder
try cluster nothing.csv -k 3 -o folder
