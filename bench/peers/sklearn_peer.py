#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest other points of every point by scikit-learn: prints the best time in seconds.

    sklearn_peer.py ROWS DIM THREADS
"""
import sys
import time

try:
    import numpy as np
    from sklearn.neighbors import NearestNeighbors
except ImportError:
    sys.exit(print("apt-get install python3-sklearn"))

rows, dim, threads = map(int, sys.argv[1:4])
x = np.random.RandomState(1).randn(rows, dim).astype(np.float32)
search = NearestNeighbors(n_neighbors=10, algorithm="brute", n_jobs=threads).fit(x)
times = []
for _ in range(2):
    start = time.perf_counter()
    search.kneighbors()
    times.append(time.perf_counter() - start)
print(min(times))
