#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 10 nearest other points of every point by FAISS: prints the best time in seconds.

    faiss_peer.py ROWS DIM THREADS       random points
    faiss_peer.py mnist FOLDER THREADS   the images of the training and the test files
"""
import gzip
import sys
import time

try:
    import faiss
    import numpy as np
except ImportError:
    sys.exit(print("apt-get install python3-faiss"))


def read_images(path):
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)


faiss.omp_set_num_threads(int(sys.argv[3]))
if sys.argv[1] == "mnist":
    parts = [read_images(f"{sys.argv[2]}/{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")]
    x = np.concatenate(parts).astype(np.float32) / 127.5 - 1
else:
    rows, dim = map(int, sys.argv[1:3])
    x = np.random.RandomState(1).randn(rows, dim).astype(np.float32)
dim = x.shape[1]
index = faiss.IndexFlatL2(dim)
index.add(x)
times = []
for _ in range(2):
    start = time.perf_counter()
    index.search(x, 11)
    times.append(time.perf_counter() - start)
print(min(times))
