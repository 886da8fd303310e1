#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest of random 64-bit codes by FAISS's exhaustive search: prints the best time in
seconds.

    faiss_binary_peer.py ROWS QUERIES THREADS
"""
import sys
import time

try:
    import faiss
    import numpy as np
except ImportError:
    sys.exit(print("apt-get install python3-faiss"))

rows, queries, threads = map(int, sys.argv[1:4])
faiss.omp_set_num_threads(threads)
random = np.random.RandomState(1)
codes = random.randint(0, 256, (rows, 8), dtype=np.uint8)
asked = random.randint(0, 256, (queries, 8), dtype=np.uint8)
index = faiss.IndexBinaryFlat(64)
index.add(codes)
times = []
for _ in range(2):
    start = time.perf_counter()
    index.search(asked, 10)
    times.append(time.perf_counter() - start)
print(min(times))
