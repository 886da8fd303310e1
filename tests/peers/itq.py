#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Iterative quantization beside numpy: principal components against LAPACK's, and the
quantization error after some rotations, from the same start.

    itq.py [IMSAT]

IMSAT is the program; without it, $IMSAT. The rotation that numpy starts from is the program's
after one iteration, which is in the model's weights. Prints one line; exits with 0, or with 1
if something differs.
"""
import json
import os
import struct
import subprocess
import sys

import numpy as np

ROWS, DIM, BITS, ROUNDS = 1500, 90, 12, 20


def tensors(path):
    """The tensors and the metadata of a safetensors file."""
    with open(path, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8 : 8 + size])
    types = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64}
    found = {}
    for name, about in head.items():
        if name != "__metadata__":
            first, last = about["data_offsets"]
            values = np.frombuffer(raw[8 + size + first : 8 + size + last], types[about["dtype"]])
            found[name] = values.reshape(about["shape"])
    return found, head["__metadata__"]


def learn(imsat, iterations):
    """Weights and the error that the program says."""
    words = [imsat, "hash", "x.npy", "-b", str(BITS), "--method", "itq", "--no-center",
             "--iterations", str(iterations), "-q", "-o", "model"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    found, about = tensors("model")
    return found["layer.0.weight"].astype(float), float(about["result.objective"])


def error_of(v):
    """The mean over rows of |sgn v - v|^2."""
    return ((np.where(v > 0, 1, -1) - v) ** 2).sum(axis=1).mean()


def main():
    imsat = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    random = np.random.default_rng(4)
    x = random.standard_normal((ROWS, DIM)) * 1.03 ** -np.arange(DIM)
    x = (x @ random.standard_normal((DIM, DIM)) / 9 + 3).astype(np.float32)
    np.save("x.npy", x)
    centered = x - x.mean(axis=0, dtype=float)

    weights, error = learn(imsat, 1)
    variance, vectors = np.linalg.eigh(np.cov(centered.T, bias=True))
    top = vectors[:, -BITS:]
    outside = np.abs(weights - weights @ top @ top.T).max()
    skew = np.abs(weights @ weights.T - np.eye(BITS)).max()
    kept = np.trace(weights @ np.cov(centered.T, bias=True) @ weights.T)
    lost = abs(kept / variance[-BITS:].sum() - 1)

    v = centered @ weights.T
    differences = [abs(error / error_of(v) - 1)]
    rotation = np.eye(BITS)
    for _ in range(ROUNDS - 1):
        left, _, right = np.linalg.svd(v.T @ np.where(v @ rotation > 0, 1, -1))
        rotation = left @ right
    _, error = learn(imsat, ROUNDS)
    differences.append(abs(error / error_of(v @ rotation) - 1))
    print(f"itq: outside the components {outside:.1e}, not orthogonal {skew:.1e}, variance "
          f"{lost:.1e}, error after 1 and {ROUNDS} rounds {differences[0]:.1e} "
          f"{differences[1]:.1e} apart from numpy's")
    return int(max(outside, skew, lost, *differences) > 2e-5)


if __name__ == "__main__":
    sys.exit(main())
