# Nothing here asks the network for anything.
try data fetch
try data
try data fetch mnits
try data fetch nothing-like-it
try data fetch mnist cifar10
try data fetch mnist --to ''
try data fetch reuters
mkdir mnist
echo mine > mnist/train-images-idx3-ubyte.gz
try data fetch mnist
cat mnist/train-images-idx3-ubyte.gz
try data fetch mnist --to no/such/folder
