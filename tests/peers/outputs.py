#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What imsat writes is read by numpy, scipy, scikit-learn and pandas to the same numbers: data that
was converted to every format, and rows of results."""
import json
import os
import subprocess

import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse
import sklearn.datasets

ROWS, DIM = 50, 7
rng = np.random.default_rng(5)
DENSE = (rng.normal(size=(ROWS, DIM)) * 10.0 ** rng.integers(-9, 9, (ROWS, DIM))).astype(np.float32)
DENSE[rng.random((ROWS, DIM)) < 0.6] = 0
DENSE[:, -1] = 1  # or svmlight does not know how wide the rows are
BYTES = rng.integers(0, 128, (ROWS, DIM), np.uint8)
LABELS = rng.integers(0, 4, ROWS)


def imsat(*words):
    return subprocess.run([os.environ["IMSAT"], *words], check=True, stdout=subprocess.PIPE).stdout


def vectors(path, kind):
    """The formats of vectors to search, as their pages describe them."""
    if path.endswith("vecs"):
        size = np.dtype(kind).itemsize
        rows = np.fromfile(path, np.uint8).reshape(ROWS, 4 + DIM * size)
        assert (rows[:, :4].copy().view("<u4") == DIM).all()
        return rows[:, 4:].copy().view(kind)
    assert tuple(np.fromfile(path, "<u4", 2)) == (ROWS, DIM)
    return np.fromfile(path, kind, offset=8).reshape(ROWS, DIM)


def table(path, separator):
    frame = pd.read_csv(path, sep=separator, dtype={f"x{j}": np.float32 for j in range(DIM)},
                        float_precision="round_trip")
    assert list(frame.columns) == [f"x{j}" for j in range(DIM)] + ["label"]
    return frame.to_numpy(np.float32)[:, :DIM], frame["label"].to_numpy()


def lines(path):
    rows = [json.loads(line) for line in open(path)]
    return np.array([r["x"] for r in rows], np.float32), np.array([r["label"] for r in rows])


def svmlight(path):
    x, y = sklearn.datasets.load_svmlight_file(path, dtype=np.float64, zero_based=False)
    return x.toarray().astype(np.float32), y


def archive(path):
    with np.load(path) as arrays:
        return arrays["x"], arrays["y"]


def sparse_archive(path):
    matrix = scipy.sparse.load_npz(path)
    assert matrix.format == "csr" and matrix.dtype == np.float32
    with np.load(path) as arrays:
        return matrix.toarray(), arrays["labels"]


np.savez("in.npz", x=DENSE, y=LABELS)
np.save("bytes.npy", BYTES)
imsat("convert", "in.npz", "in.svm")

checked = 0
for source, name, read in (
        ("in.npz", "d.npy", lambda p: (np.load(p), None)),
        ("in.npz", "d.npz", archive),
        ("in.npz", "d.csv", lambda p: table(p, ",")),
        ("in.npz", "d.tsv", lambda p: table(p, "\t")),
        ("in.npz", "d.jsonl", lines),
        ("in.npz", "d.svmlight", svmlight),
        ("in.npz", "d.mtx", lambda p: (scipy.io.mmread(p).toarray().astype(np.float32), None)),
        ("in.npz", "d.fvecs", lambda p: (vectors(p, "<f4"), None)),
        ("in.npz", "d.fbin", lambda p: (vectors(p, "<f4"), None)),
        ("in.svm", "s.npy", lambda p: (np.load(p), None)),
        ("in.svm", "s.npz", sparse_archive),
        ("in.svm", "s.csv", lambda p: table(p, ",")),
        ("in.svm", "s.mtx", lambda p: (scipy.io.mmread(p).toarray().astype(np.float32), None)),
        ("in.svm", "s.svm", svmlight)):
    imsat("convert", source, name, "-q")
    rows, labels = read(name)
    assert rows.dtype == np.float32 and np.array_equal(rows, DENSE), f"{name}: rows differ"
    assert labels is None or np.array_equal(labels, LABELS), f"{name}: labels differ"
    checked += 1

for name, kind in (("b.bvecs", "u1"), ("b.ivecs", "<i4"), ("b.u8bin", "u1"), ("b.i8bin", "i1"),
                   ("b.ibin", "<i4")):
    imsat("convert", "bytes.npy", name)
    assert np.array_equal(vectors(name, kind), BYTES), f"{name}: rows differ"
    checked += 1
imsat("convert", "bytes.npy", "b.idx")
head = np.fromfile("b.idx", ">u4", 3)
assert tuple(head) == (0x0802, ROWS, DIM), head
assert np.array_equal(np.fromfile("b.idx", np.uint8, offset=12).reshape(ROWS, DIM), BYTES)
imsat("convert", "bytes.npy", "b.npy")
assert np.load("b.npy").dtype == np.uint8 and np.array_equal(np.load("b.npy"), BYTES)

# Results: labels and probabilities of a model, in each format.
options = ["in.npz", "-k", "3", "--method", "linear-rim", "--epochs", "2", "-q"]
for ending in "npy", "csv", "tsv", "jsonl":
    imsat("cluster", *options, "--labels", "l." + ending, "--proba", "p." + ending)
wanted, proba = np.load("l.npy"), np.load("p.npy")
for ending, separator in ("csv", ","), ("tsv", "\t"):
    assert np.array_equal(pd.read_csv("l." + ending, sep=separator)["label"], wanted)
    frame = pd.read_csv("p." + ending, sep=separator, float_precision="round_trip")
    assert list(frame.columns) == ["p0", "p1", "p2"]
    assert np.array_equal(frame.to_numpy(np.float32), proba)
assert np.array_equal(pd.read_json("l.jsonl", lines=True)["label"], wanted)
assert np.array_equal(np.array([json.loads(r)["p"] for r in open("p.jsonl")], np.float32), proba)

# Results beside the rows of a table and of JSON lines that pandas wrote: what was there stays.
frame = pd.DataFrame({"a": rng.normal(size=ROWS), "town, city": rng.choice(["Rome", 'the "Hague"'], ROWS),
                      "when": pd.date_range("2020-01-01", periods=ROWS), "b": BYTES[:, 1]})
frame.loc[3, "a"] = np.nan
frame.to_csv("people.csv", index=False)
imsat("cluster", "people.csv", "-k", "2", "--method", "kmeans", "--categories", "one-hot",
      "--missing", "drop", "-q", "--labels", "l.npy", "--join", "joined.csv")
joined, kept = pd.read_csv("joined.csv"), pd.read_csv("people.csv").drop(index=3)
pd.testing.assert_frame_equal(joined[kept.columns], kept.reset_index(drop=True))
assert list(joined.columns[4:]) == ["label", "confidence", "distance", "outlier"]
assert np.array_equal(joined["label"], np.load("l.npy"))
assert 0 < joined["distance"].median() < 1.5 and joined["confidence"].between(0, 1).all()
assert set(joined["outlier"]) <= {0, 1} and joined["outlier"].sum() <= 2

texts = pd.DataFrame({"text": ["red apples", "green apples", "fast cars", "slow cars"], "n": range(4)})
texts.to_json("texts.jsonl", orient="records", lines=True)
imsat("cluster", "texts.jsonl", "-k", "2", "--method", "kmeans", "-q", "--join", "joined.jsonl")
joined = pd.read_json("joined.jsonl", lines=True)
pd.testing.assert_frame_equal(joined[texts.columns], texts)
assert joined["label"][0] == joined["label"][1] != joined["label"][2] == joined["label"][3]
print(f"{checked + 2} converted files and 6 of results are read as they were meant")
