# Rows of data sets from small files, beside what the paper says of the sets.
mkdir -p mnist news/20news-bydate-train/sci.space news/20news-bydate-test/rec.autos
printf '\0\0\10\3\0\0\0\2\0\0\0\2\0\0\0\3\1\2\3\4\5\6\7\10\11\12\13\14' >mnist/train-images-idx3-ubyte
printf '\0\0\10\1\0\0\0\2\5\0' >mnist/train-labels-idx1-ubyte
printf '\0\0\10\3\0\0\0\1\0\0\0\2\0\0\0\3\16\17\20\21\22\23' >mnist/t10k-images-idx3-ubyte
try data prepare mnist -o x.npz
printf '\0\0\10\1\0\0\0\1\5' >mnist/t10k-labels-idx1-ubyte
try data prepare mnist -o x.npz
try info x.npz
try data prepare mnist --from mnist -o x.npy --json
for i in 1 2 3; do
    printf 'From: a\n\nrocket rocket moon moon moon orbit orbit orbit orbit launch%d\n' $i \
        >news/20news-bydate-train/sci.space/$i
    printf 'From: a\n\nwheel wheel engine engine engine engine car car car tire%d\n' $i \
        >news/20news-bydate-test/rec.autos/$i
done
echo 'too short' >news/20news-bydate-test/rec.autos/4
try data prepare 20news --from news -o news.npz
try cluster news.npz -k 2 --method kmeans -q | grep '^ACC'
try data prepare
try data prepare mnits -o x.npz
try data prepare mnist
try data prepare mnist -o x.jpg
try data prepare mnist --features gist -o y.npz
try data prepare svhn --from mnist -o y.npz
try data prepare svhn --from nowhere -o y.npz
ls
