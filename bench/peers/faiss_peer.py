#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest other points of every point by FAISS: prints the best time (peer.py).

    faiss_peer.py ROWS DIM       random points
    faiss_peer.py mnist FOLDER   the images of the training and the test files
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
faiss.omp_set_num_threads(peer.THREADS)
if sys.argv[1] == "mnist":
    x = 2 * read_mnist(sys.argv[2]) - 1
else:
    rows, dim = map(int, sys.argv[1:3])
    x = np.random.RandomState(1).randn(rows, dim).astype(np.float32)
dim = x.shape[1]
index = faiss.IndexFlatL2(dim)
index.add(x)
asked = x[:1000] if peer.SHORT else x
times = []
for _ in range(2):
    start = time.perf_counter()
    index.search(asked, 11)
    times.append(time.perf_counter() - start)
peer.report(min(times), f"FAISS {faiss.__version__} {faiss.get_compile_options().strip()}")
