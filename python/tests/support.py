# SPDX-License-Identifier: MIT
"""Data for the tests, and the program beside which they run."""
import os
import pathlib
import subprocess

import numpy as np

SOURCE = pathlib.Path(os.environ["IMSAT_SOURCE"])
PROGRAM = os.environ["IMSAT"]
DIGITS = SOURCE / "data/digits.csv.gz"

# A training of milliseconds.
SMALL = {"hidden": (16,), "epochs": 60, "random_state": 3}


def blobs(rows=120, dim=5, k=3, seed=0, dtype=np.float32):
    """Groups that any method tells apart, and which row is of which."""
    rng = np.random.default_rng(seed)
    truth = np.arange(rows) % k
    centers = 8 * rng.normal(size=(k, dim))
    return (rng.normal(size=(rows, dim)) + centers[truth]).astype(dtype), truth


def program(*arguments, **options):
    """Run the program, and give what it prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)
    return done.stdout
