# --preset and --method act before the options, wherever they stand on the line.
small a --preset paper --lambda 0.2 --method imsat-rpt --alpha 1
small b --alpha 1 --lambda 0.2 --method imsat-rpt --preset paper
cmp a b
small c --lambda 0.2 --alpha 1
cmp -s a c || echo "presets differ"
