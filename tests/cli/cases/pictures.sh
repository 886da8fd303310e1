# Pictures become rows: of a folder, of an archive, or one; in one size, or as GIST.
"$imsat" --version | grep -q '^with.*png.*fftw' || { echo 'skip: png or fftw is not there'; exit; }
mkdir -p pics/a pics/b
cp "$source/tests/images/rgb.png" pics/a/1.png
cp "$source/tests/images/gray.png" pics/b/2.png
"$imsat" info pics
"$imsat" info pics --image 8x9x3
tar cf pics.tar pics
"$imsat" features resize pics.tar --image 8x9 -o small.npy --labels y.npy
"$imsat" info small.npy
"$imsat" features gist pics --image 32x32x3 -o gist.npy
"$imsat" features gist pics --image 32x32x3 --color -o gist.npy --json
"$imsat" features gist gist.npy -o again.npy
"$imsat" features gist small.npy -o gist.npy
"$imsat" features gist small.npy --image 8x9 -o gist.npy
"$imsat" cluster pics -k 2 --image 16x16 --gist gray --method kmeans -o model -q >report
"$imsat" predict model pics/a/1.png pics/b
"$imsat" info model | grep '^features'
"$imsat" features resize pics -o x.npy
