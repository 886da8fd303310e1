#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""20 iterations of k-means on MNIST by FAISS, no rows left out: prints the best time (peer.py).

    faiss_kmeans_peer.py FOLDER K
"""
import sys
import time

import peer

try:
    import faiss
    import numpy as np
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-faiss"))
from mnist_rows import read_mnist

peer.refuse_reference()
folder, k = sys.argv[1], int(sys.argv[2])
faiss.omp_set_num_threads(peer.THREADS)
x = read_mnist(folder)
start = np.ascontiguousarray(x[np.arange(k) * len(x) // k])
iterations = 2 if peer.SHORT else 20
times = []
for _ in range(2):
    kmeans = faiss.Kmeans(x.shape[1], k, niter=iterations, nredo=1, max_points_per_centroid=len(x), min_points_per_centroid=1)
    begin = time.perf_counter()
    kmeans.train(x, init_centroids=start)
    times.append(time.perf_counter() - begin)
    print("faiss", k, times[-1], kmeans.obj[-1], len(kmeans.obj), file=sys.stderr)
peer.report(min(times), f"FAISS {faiss.__version__} {faiss.get_compile_options().strip()}")
