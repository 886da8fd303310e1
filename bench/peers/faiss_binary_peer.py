#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest of random 64-bit codes by FAISS's exhaustive search: prints the best time
(peer.py).

    faiss_binary_peer.py ROWS QUERIES
"""
import platform
import sys
import time

import peer

try:
    import faiss
    import numpy as np
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-faiss"))

rows, queries = map(int, sys.argv[1:3])
if peer.SHORT:
    queries = queries // 10
faiss.omp_set_num_threads(peer.THREADS)
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
options = faiss.get_compile_options().strip()
generic = "GENERIC" in options and platform.machine() == "x86_64"
peer.report(min(times), f"FAISS {faiss.__version__} {options}",
            "it was compiled without the instruction that counts bits" if generic else "")
