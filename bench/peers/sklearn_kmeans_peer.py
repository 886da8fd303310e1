#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""20 iterations of k-means on MNIST by scikit-learn: prints the best time (peer.py), of
both of its algorithms.

    sklearn_kmeans_peer.py FOLDER K
"""
import sys
import time
import warnings

import peer

try:
    import numpy as np
    import sklearn
    from sklearn.cluster import KMeans
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-sklearn"))
from mnist_rows import read_mnist

warnings.filterwarnings("ignore")
peer.refuse_reference()
folder, k = sys.argv[1], int(sys.argv[2])
x = read_mnist(folder)
start = x[np.arange(k) * len(x) // k]
iterations = 2 if peer.SHORT else 20
times = []
for algorithm in ("lloyd",) if peer.SHORT else ("lloyd", "elkan"):
    for _ in range(2):
        kmeans = KMeans(k, init=start, n_init=1, max_iter=iterations, tol=0, algorithm=algorithm)
        begin = time.perf_counter()
        kmeans.fit(x)
        times.append(time.perf_counter() - begin)
        print(algorithm, k, times[-1], kmeans.inertia_, kmeans.n_iter_, file=sys.stderr)
        if times[-1] > 8:  # seconds: a second time would not differ by much
            break
peer.report(min(times), f"scikit-learn {sklearn.__version__}")
