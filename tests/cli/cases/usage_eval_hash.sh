try eval hash
try eval hash codes.npy --split 3
try eval hash codes.npy classes.csv
try eval hash codes.npy classes.csv --split 0
try eval hash --gallery codes.npy classes.csv
try eval hash --gallery codes.npy --queries codes.npy classes.csv
try eval hash --gallery codes.npy classes.csv --queries codes.npy
try eval hash --gallery codes.npy classes.csv --queries codes.npy classes.csv --split 3
try eval hash codes.npy --gallery codes.npy classes.csv --queries codes.npy classes.csv
try eval hash --gallery
try eval hash --gallery --queries codes.npy
try eval hash codes.npy classes.csv --ties blocks
try eval hash codes.npy classes.csv --empty none
try eval hash codes.npy classes.csv --bit-order big
try eval hash codes.npy classes.csv --at many
