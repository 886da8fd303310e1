#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What 'imsat compare' and '-k 2-12' recommend, beside the labels of scikit-learn's sets.

    choice.py [IMSAT] [NAME...]

IMSAT is the program; without it, $IMSAT. NAME is a set, 'noise', 'blobs', 'k', 'prior' or 'all', which takes
eight minutes on two cores; without one, those of QUICK, which take two.
Labels only judge: no set may be where the method that is recommended has an ACC more than 0.02
below the best of the table, noise in 2, 10 and 50 dimensions has no structure in nine of ten draws
each, blobs always have, and of 2 to 12 clusters five blobs are five and noise is none. Given the true
sizes of unequal blobs, imsat-vat has an ACC of 0.98 wherever a mixture of normals has. Prints a
line for each; exits with 0, or with 1 if one is not so.
"""
import json
import os
import subprocess
import sys

import numpy as np
from sklearn import datasets


def standardized(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def unequal(sizes, centers):
    """Normal blobs of these sizes."""
    draw = np.random.default_rng(0)
    x = np.vstack([draw.normal(c, 1, (n, 2)) for n, c in zip(sizes, centers)])
    return x, np.repeat(np.arange(len(sizes)), sizes)


def bars():
    draw = np.random.default_rng(5)
    x = np.vstack([np.c_[draw.normal(0, 4, 300), draw.normal(4 * j, 0.5, 300)] for j in range(3)])
    return x, np.repeat(np.arange(3), 300)


def stretched():
    x, y = datasets.make_blobs(600, 2, centers=3, random_state=170)
    return x @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y


def bunch(loaded, prepare=lambda x: x):
    return prepare(loaded.data), loaded.target


SETS = {
    "iris": lambda: bunch(datasets.load_iris()),
    "wine": lambda: bunch(datasets.load_wine(), standardized),
    "cancer": lambda: bunch(datasets.load_breast_cancer(), standardized),
    "digits": lambda: bunch(datasets.load_digits()),
    "moons": lambda: datasets.make_moons(1000, noise=0.06, random_state=0),
    "circles": lambda: datasets.make_circles(1000, noise=0.05, factor=0.5, random_state=0),
    "unequal": lambda: unequal([500, 500, 100, 100], [(0, 0), (10, 0), (0, 10), (10, 10)]),
    "hundred": lambda: datasets.make_blobs(5000, 10, centers=100, random_state=0),
    "stretched": stretched,
    "spread": lambda: datasets.make_blobs(600, 2, centers=3, cluster_std=[1, 2.5, 0.5],
                                          random_state=170),
    "bars": bars,
}

QUICK = ["iris", "digits", "moons", "unequal", "noise", "blobs"]


def compare(imsat, x, *options):
    np.save("x.npy", x.astype(np.float32))
    done = subprocess.run([imsat, "compare", "x.npy", "--json", "-q", *options], check=True,
                          capture_output=True)
    return json.loads(done.stdout)


def judge_set(imsat, name):
    x, y = SETS[name]()
    np.save("y.npy", y.astype(np.int32))
    found = compare(imsat, x, "-k", str(y.max() + 1), "--truth", "y.npy", "--budget", "300")
    acc = {m["method"]: m["acc"] for m in found["methods"] if "acc" in m}
    best = found.get("best", "none")
    good = acc.get(best, 0) >= max(acc.values()) - 0.02
    words = ", ".join(f"{m} {a:.3f}" for m, a in acc.items())
    print(f"{name}: {best}; {words}; {found['seconds']:.0f} s{'' if good else '  WRONG'}",
          flush=True)
    return good


def judge_noise(imsat):
    good = True
    for kind in ("uniform", "normal"):
        for width in (2, 10, 50):
            alarms = 0
            for seed in range(10):
                draw = np.random.default_rng(seed)
                x = draw.random((500, width)) if kind == "uniform" else draw.normal(
                    size=(500, width))
                found = compare(imsat, x, "-k", "5", "--methods", "kmeans")
                alarms += found["structure"] == "found"
            good &= alarms <= 1
            print(f"noise, {kind}, {width} columns: {alarms} false alarms of 10", flush=True)
    return good


def judge_blobs(imsat):
    good = True
    for count in (5, 10):
        missed = 0
        for seed in range(10):
            x, _ = datasets.make_blobs(100 * count, 2 if count == 5 else 10, centers=count,
                                       random_state=seed)
            found = compare(imsat, x, "-k", str(count), "--methods", "kmeans")
            missed += found["structure"] != "found"
        good &= missed == 0
        print(f"{count} blobs: no structure in {missed} of 10", flush=True)
    return good


def choose(imsat, x):
    """The k that 'imsat cluster -k 2-12' goes on with; 0: none."""
    np.save("x.npy", x.astype(np.float32))
    done = subprocess.run([imsat, "cluster", "x.npy", "-k", "2-12", "--method", "kmeans", "--json",
                           "-q"], capture_output=True, text=True)
    return json.loads(done.stdout)["k"] if done.returncode == 0 else 0


def judge_k(imsat):
    draw = np.random.default_rng(1)
    sets = {
        "five blobs": (datasets.make_blobs(500, 2, centers=5, random_state=10)[0], 5),
        "five other blobs": (datasets.make_blobs(500, 2, centers=5, random_state=11)[0], 5),
        "ten blobs": (datasets.make_blobs(1000, 10, centers=10, random_state=0)[0], 10),
        "a square": (draw.random((500, 2)), 0),
        "50 normal columns": (draw.normal(size=(500, 50)), 0),
        "moons": (SETS["moons"]()[0], None),
        "iris": (SETS["iris"]()[0], None),
        "wine": (SETS["wine"]()[0], None),
        "digits": (SETS["digits"]()[0], None),
    }
    good = True
    for name, (x, expected) in sets.items():
        k = choose(imsat, x)
        good &= expected in (None, k)
        print(f"k of {name}: {k or 'none'}{'' if expected in (None, k) else '  WRONG'}",
              flush=True)
    return good


def accuracy(imsat, clusters, *options):
    done = subprocess.run([imsat, "cluster", "x.npy", "-k", str(clusters), "--truth", "y.npy",
                           "--runs", "5", "--json", "-q", *options], check=True,
                          capture_output=True)
    return json.loads(done.stdout)["acc"]


def judge_prior(imsat):
    good = True
    for sizes in ([900, 100], [500, 500, 100, 100]):
        np.save("prior.npy", np.array(sizes) / sum(sizes))
        for width in (2, 10):
            best = reached = 0
            for seed in range(1, 11):
                x, y = datasets.make_blobs(sizes, width, random_state=seed)
                np.save("x.npy", x.astype(np.float32))
                np.save("y.npy", y.astype(np.int32))
                if accuracy(imsat, len(sizes), "--method", "gmm") < 0.98:
                    continue
                best += 1
                reached += accuracy(imsat, len(sizes), "--hidden", "50,50", "--prior",
                                    "prior.npy") >= 0.98
            good &= best > 0 and reached == best
            print(f"prior, sizes {sizes}, {width} columns: {reached} of {best} with 0.98",
                  flush=True)
    return good


def main():
    words = sys.argv[1:]
    imsat = words.pop(0) if words and os.sep in words[0] else os.environ["IMSAT"]
    others = {"noise": judge_noise, "blobs": judge_blobs, "k": judge_k, "prior": judge_prior}
    good = True
    for name in [*SETS, *others] if words == ["all"] else words or QUICK:
        good &= others[name](imsat) if name in others else judge_set(imsat, name)
    print("choice:", "as it should be" if good else "NOT as it should be")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
