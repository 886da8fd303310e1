# A reader that goes away is no failure, and no signal.
small model
for i in 1 2 3 4 5 6 7; do cat blobs.csv blobs.csv > twice && mv twice blobs.csv; done
"$imsat" predict model blobs.csv --label-column 4 | head -n 1 > first
echo "exit ${PIPESTATUS[0]}"
"$imsat" predict model blobs.csv --label-column 4 --proba | head -n 1 > first
echo "exit ${PIPESTATUS[0]}"
"$imsat" help cluster | true
echo "exit ${PIPESTATUS[0]}"
