"$imsat" hash $data --label-column 64 -b 5 --hidden 48 --epochs 12 --runs 2 -q --json |
    sed -E 's/[0-9]+\.[0-9e-]+/X/; /^    [0-9]+,?$/s/[0-9]+/N/; s/("best": ).*/\1N,/'
