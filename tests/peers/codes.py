# SPDX-License-Identifier: MIT
"""Codes, ids and the answers of imsat, for the comparisons of this folder."""
import json
import os
import subprocess

import numpy as np

QUERIES, NEAREST = 9, 12


def run(*words, text=None):
    """The program's output."""
    done = subprocess.run([os.environ["IMSAT"], *map(str, words)], input=text,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


class Case:
    """Files codes.npy, queries.npy, ids.npy and the index of one shape."""

    def __init__(self, rows, bits, with_ids):
        draw = np.random.default_rng(rows + bits)
        # Few patterns and few flips, so that many distances are equal and many are small.
        patterns = draw.integers(0, 2, (20, bits), dtype=np.uint8)
        self.rows, self.bits = rows, bits
        self.codes = patterns[draw.integers(0, 20, rows)] ^ (draw.random((rows, bits)) < 0.1)
        self.queries = patterns[:QUERIES] ^ (draw.random((QUERIES, bits)) < 0.1)
        self.ids = np.arange(rows)
        if with_ids:
            self.ids = draw.permutation(3 * rows)[:rows] * 2**33 - 2**34 + 5
        np.save("codes.npy", np.packbits(self.codes, axis=1))
        np.save("queries.npy", np.packbits(self.queries, axis=1))
        np.save("ids.npy", self.ids)
        self.options = ["--bits", bits] + (["--ids", "ids.npy"] if with_ids else [])
        run("index", "codes.npy", *self.options, "-o", "index")

    def export(self, to, *more):
        """Write codes.out; what the program printed."""
        return run("export", "codes.npy", *self.options, "--to", to, "-o", "codes.out", *more)

    def nearest(self):
        """[(id, distance), ...] for each query, nearest first, equal ones by id."""
        lines = run("search", "index", "queries.npy", "-n", NEAREST).splitlines()
        return [list(zip(x["ids"], x["distances"])) for x in map(json.loads, lines)]

    def within(self, radius):
        """{(query, id, distance), ...}"""
        run("search", "index", "queries.npy", "-r", radius, "-o", "pairs.npy")
        return {tuple(row) for row in np.load("pairs.npy").tolist()}


def cases():
    """Shapes of all kinds: whole bytes and not, one word and several."""
    for rows, bits in ((700, 16), (300, 11), (1500, 64), (41, 1), (200, 300)):
        for with_ids in (False, True):
            yield Case(rows, bits, with_ids)


def check(what, ours, theirs):
    """Stop unless both are the same."""
    if ours != theirs:
        raise SystemExit(f"{what}: {ours!r} is not {theirs!r}"[:2000])
