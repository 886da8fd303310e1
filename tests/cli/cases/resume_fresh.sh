# --resume without a checkpoint file starts from the beginning.
small a
small b --checkpoint state --resume
cmp a b
