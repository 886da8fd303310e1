#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest other points of every point by scikit-learn: prints the best time (peer.py).

    sklearn_peer.py ROWS DIM
"""
import sys
import time

import peer

try:
    import numpy as np
    import sklearn
    from sklearn.neighbors import NearestNeighbors
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-sklearn"))

peer.refuse_reference()
rows, dim = map(int, sys.argv[1:3])
x = np.random.RandomState(1).randn(rows, dim).astype(np.float32)
search = NearestNeighbors(n_neighbors=10, algorithm="brute", n_jobs=peer.THREADS).fit(x)
asked = x[:1000] if peer.SHORT else None  # None: each row, without itself
times = []
for _ in range(2):
    start = time.perf_counter()
    search.kneighbors(asked)
    times.append(time.perf_counter() - start)
peer.report(min(times), f"scikit-learn {sklearn.__version__}")
