# A compressed file may take so much memory and no more; the limit can be raised.
$imsat info "$data" --label-column 64 --max-unpacked 64K
$imsat info "$data" --label-column 64 --max-unpacked 2M | head -1
zcat "$data" | cut -d, -f65 | gzip >classes.gz
$imsat eval cluster classes.gz classes.gz --max-unpacked 1K
$imsat eval cluster classes.gz classes.gz --max-unpacked 1M | head -1
for size in 0 1.5G G 16777216T; do $imsat info "$data" --max-unpacked $size; done
# A plain file takes what it takes.
zcat "$data" >plain.csv
$imsat info plain.csv --label-column 64 --max-unpacked 1K | head -1
