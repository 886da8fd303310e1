#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mixtures of normals beside scikit-learn's, from the same start.

    gmm.py [IMSAT]

IMSAT is the program; without it, $IMSAT. The shares that a model of one iteration has of the rows
are where scikit-learn begins, and both go on until nothing changes. Prints one line; exits with 0,
or with 1 if the program's likelihood is the lower one, or its shares differ.
"""
import json
import os
import subprocess
import sys
import warnings

import numpy as np
from sklearn.mixture import GaussianMixture

K, DIM, MORE = 4, 5, 400
KINDS = {"full": "full", "tied": "tied", "diagonal": "diag"}


def learn(imsat, kind, iterations):
    """Shares of the rows, and the mean log likelihood that the program says."""
    words = [imsat, "cluster", "x.npy", "-k", str(K), "--method", "gmm", "--no-center", "--covariance",
             kind, "--restarts", "1", "--tolerance", "0", "--iterations", str(iterations), "-q"]
    done = subprocess.run([*words, "--json", "-o", "model"], check=True, capture_output=True)
    subprocess.run([imsat, "predict", "model", "x.npy", "--proba", "-o", "proba.npy"],
                   check=True, capture_output=True)
    return np.load("proba.npy").astype(float), -json.loads(done.stdout)["objective"]


def peer(x, kind, shares, iterations):
    """scikit-learn's mixture, begun with these shares."""
    mixture = GaussianMixture(K, covariance_type=KINDS[kind], max_iter=iterations, tol=0)
    mixture._initialize_parameters = lambda rows, _: mixture._initialize(rows, shares)
    return mixture.fit(x)


def main():
    warnings.filterwarnings("ignore")  # that it may iterate on
    imsat = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    random = np.random.default_rng(5)
    parts = [random.standard_normal((n, DIM)) @ random.standard_normal((DIM, DIM)) * 0.6
             + 2.5 * random.standard_normal(DIM) for n in (300, 200, 120, 40)]
    x = np.concatenate(parts).astype(np.float32)
    np.save("x.npy", x)
    x = x.astype(float)
    worst, words = 0, []
    for kind in KINDS:
        start, _ = learn(imsat, kind, 1)
        shares, after = learn(imsat, kind, MORE)
        mixture = peer(x, kind, start, MORE)
        below = mixture.score(x) - after
        apart = np.abs(mixture.predict_proba(x) - shares).max()
        worst = max(worst, below * 1e3, apart)
        words.append(f"{kind} {after:.6f} and {mixture.score(x):.6f}, shares {apart:.1e} apart")
    print("gmm: log likelihood of ours and scikit-learn's: " + "; ".join(words))
    return int(worst > 1e-3)


if __name__ == "__main__":
    sys.exit(main())
