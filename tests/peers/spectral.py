#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Spectral clustering beside scikit-learn's, on the same graph.

    spectral.py [IMSAT]

IMSAT is the program; without it, $IMSAT. scikit-learn is given the graph of the 10 nearest
neighbors that numpy finds, and an exact eigensolver. Prints one line; exits with 0, or with 1 if
labels, up to their names, or the normalized cut differ.
"""
import json
import os
import subprocess
import sys
import warnings

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_digits, load_iris, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

NEIGHBORS = 10


def graph(x):
    """1 where both are neighbors of each other, 1/2 where one is."""
    distance = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :NEIGHBORS]
    directed = np.zeros(distance.shape)
    np.put_along_axis(directed, nearest, 1, axis=1)
    return (directed + directed.T) / 2


def cut(weights, labels):
    """The normalized cut."""
    return sum(weights[labels == c][:, labels != c].sum() / weights[labels == c].sum()
               for c in np.unique(labels))


def main():
    warnings.filterwarnings("ignore")  # that graphs have several parts
    imsat = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    noise = np.random.default_rng(6)
    sets = {
        "moons": (make_moons(400, noise=0.05, random_state=1)[0], 2),
        "circles": (make_circles(400, noise=0.04, factor=0.5, random_state=1)[0], 2),
        "blobs": (make_blobs([200, 200, 40, 40], 3, random_state=2)[0], 4),
        "iris": (load_iris().data + 1e-4 * noise.standard_normal((150, 4)), 3),  # it has ties
        "digits": (load_digits().data[:600] + 1e-3 * noise.standard_normal((600, 64)), 10),
    }
    worst, words = 0, []
    for name, (x, k) in sets.items():
        x = x.astype(np.float32)
        np.save("x.npy", x)
        done = subprocess.run([imsat, "cluster", "x.npy", "-k", str(k), "--method", "spectral",
                               "--no-center", "-q", "--json", "--labels", "labels.npy"],
                              check=True, capture_output=True)
        ours = np.load("labels.npy")
        weights = graph(x.astype(float))
        peer = SpectralClustering(k, affinity="precomputed", random_state=0, n_init=50,
                                  eigen_solver="arpack")
        theirs = peer.fit_predict(csr_matrix(weights))
        same = adjusted_rand_score(ours, theirs)
        said = json.loads(done.stdout)["objective"]
        apart = abs(said - cut(weights, ours))
        worst = max(worst, 1 - same, apart * 100)
        words.append(f"{name} {same:.4f} (cut {said:.4f}, {cut(weights, theirs):.4f})")
    print("spectral: adjusted Rand index with scikit-learn's labels: " + "; ".join(words))
    return int(worst > 0.02)


if __name__ == "__main__":
    sys.exit(main())
