# SPDX-License-Identifier: MIT
"""The 70,000 images of MNIST, training files first, as rows of floats from 0 to 1."""
import gzip

import numpy as np


def read_mnist(folder):
    parts = []
    for part in ("train", "t10k"):
        with gzip.open(f"{folder}/{part}-images-idx3-ubyte.gz") as file:
            parts.append(np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784))
    return np.concatenate(parts).astype(np.float32) / 255
