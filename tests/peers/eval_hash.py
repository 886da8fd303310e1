#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Scores of hash codes beside scikit-learn's and numpy's, on random cases.

    eval_hash.py [IMSAT]

IMSAT is the program; without it, $IMSAT. mAP with ties as one block is the mean over the queries of
sklearn.metrics.average_precision_score(relevant, -distance); with ties by id it is that of
the ranks of a stable sort; precision at N is that of the first N of a stable sort. Prints one
line; exits with 0, or with 1 if a score differs by more than 1e-12.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.metrics import average_precision_score

TOLERANCE = 1e-12


def draw(random, rows, bits, prototypes):
    """Codes as 0 and 1 (rows, bits), and their classes."""
    labels = random.integers(0, len(prototypes), rows)
    flips = random.random((rows, bits)) < random.uniform(0.05, 0.5)
    return prototypes[labels] ^ flips, labels.astype(np.int32)


def precision(relevant, empty):
    """The share of True, or `empty` if there is nothing."""
    return relevant.mean() if len(relevant) else empty


def expected(gallery, queries, at, radius):
    """The scores of all queries, a list each."""
    scores = {"block": [], "id": [], "at": [], "zero": [], "skip": []}
    codes, labels = gallery
    for code, label in zip(*queries):
        distance = (codes != code).sum(axis=1)
        relevant = labels == label
        order = np.argsort(distance, kind="stable")
        rank = np.empty(len(order), int)
        rank[order] = np.arange(len(order))
        some = relevant.any()  # without, scikit-learn warns and gives 0
        scores["block"].append(average_precision_score(relevant, -distance) if some else 0)
        scores["id"].append(average_precision_score(relevant, -rank) if some else 0)
        scores["at"].append(relevant[order][:at].mean())
        scores["zero"].append(precision(relevant[distance <= radius], 0))
        scores["skip"].append(precision(relevant[distance <= radius], np.nan))
    return scores


def run(imsat, folder, case, options):
    """What the program prints."""
    words = [imsat, "eval", "hash", "--json", *options]
    for side in ("gallery", "queries"):
        codes, labels = case[side]
        np.save(f"{folder}/{side}.npy", np.packbits(codes.astype(np.uint8), axis=1))
        np.save(f"{folder}/{side}_labels.npy", labels)
        words += [f"--{side}", f"{folder}/{side}.npy", f"{folder}/{side}_labels.npy"]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def compare(imsat, folder, seed, bits):
    """The largest difference in one random case."""
    random = np.random.default_rng(seed)
    at, radius = int(random.integers(1, 400)), int(random.integers(0, bits + 1))
    prototypes = random.random((5, bits)) < 0.5
    case = {
        "gallery": draw(random, int(random.integers(1, 300)), bits, prototypes[:4]),
        "queries": draw(random, int(random.integers(1, 40)), bits, prototypes),
    }
    scores = expected(case["gallery"], case["queries"], at, radius)
    shared = ["--bits", str(bits), "--at", str(at), "--radius", str(radius)]
    worst = 0.0
    for ties, empty in (("block", "zero"), ("id", "skip")):
        found = run(imsat, folder, case, [*shared, "--ties", ties, "--empty", empty])
        within = np.array(scores[empty])
        within = within[~np.isnan(within)]
        pairs = (
            (found["map"], np.mean(scores[ties])),
            (found["precision_at"], np.mean(scores["at"])),
            (found["precision_radius"], precision(within, 0)),
            (found["empty"], np.isnan(scores["skip"]).sum()),
        )
        worst = max(worst, *(abs(ours - theirs) for ours, theirs in pairs))
    return worst


def main():
    imsat = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("IMSAT")
    if not imsat:
        print("usage: eval_hash.py IMSAT", file=sys.stderr)
        return 2
    imsat = os.path.abspath(imsat)
    worst, cases = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for bits in (1, 7, 16, 33, 64, 65, 200):
            for seed in range(5):
                worst = max(worst, compare(imsat, folder, 100 * bits + seed, bits))
                cases += 1
    verdict = "equal to" if worst <= TOLERANCE else "DIFFERENT from"
    print(f"eval_hash: {cases} random cases {verdict} scikit-learn, largest difference {worst:.1e}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
