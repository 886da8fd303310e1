# SPDX-License-Identifier: MIT
"""The program and this package agree on the same file, bit for bit.

    IMSAT=build/imsat python3 04_as_the_program.py
"""
import os
import subprocess
import tempfile
from pathlib import Path

import imsat
import numpy as np

program = os.environ.get("IMSAT", "imsat")
rng = np.random.default_rng(0)



def run(*arguments):
    """Run the program; what it says is not wanted here."""
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for dtype in (np.float32, np.float64, np.uint8):
        np.save("x.npy", (rng.random((300, 12)) * 200).astype(dtype))
        X = np.load("x.npy")

        run("cluster", "x.npy", "-k", "4", "--runs", "2", "--hidden", "30", "--epochs", "20",
            "--seed", "5", "-o", "theirs.safetensors", "--labels", "labels.npy")
        model = imsat.IMSAT(n_clusters=4, n_runs=2, hidden=(30,), epochs=20, random_state=5).fit(X)
        model.save("ours.safetensors")
        assert np.array_equal(model.labels_, np.load("labels.npy"))
        assert Path("ours.safetensors").read_bytes() == Path("theirs.safetensors").read_bytes()

        run("hash", "x.npy", "-b", "20", "--hidden", "30", "--epochs", "20", "-o",
            "theirs.safetensors", "--codes", "codes.npy")
        hasher = imsat.Hasher(n_bits=20, hidden=(30,), epochs=20).fit(X)
        hasher.save("ours.safetensors")
        assert np.array_equal(hasher.codes_, np.load("codes.npy"))
        assert Path("ours.safetensors").read_bytes() == Path("theirs.safetensors").read_bytes()

        run("predict", "theirs.safetensors", "x.npy", "--proba", "-o", "proba.npy")
        loaded = imsat.load("theirs.safetensors")
        assert np.array_equal(loaded.bit_proba(X), np.load("proba.npy"))
        print(f"{X.dtype}: labels, codes, probabilities and model files are equal")
    os.chdir("/")
