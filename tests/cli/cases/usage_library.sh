# What the library refuses of the options is a usage error too.
blobs 30 > blobs.csv
for option in '--lambda -1' '--mu -1' '--alpha -0.5' '--xi 0' '--power 0' '--batch 1' '--runs 0' \
    '--step-size 0' '--init-hidden 0' '--neighbor 0' '--hidden 8,0' '--checkpoint-every 0' \
    '--method imsat-affine' '--method linear-rim --hidden 8'; do
    try cluster blobs.csv -k 3 -o model $option
done
