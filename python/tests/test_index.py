# SPDX-License-Identifier: MIT
"""Search over codes: the answers, files, and what is refused."""
import pickle
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import imsat
import numpy as np
from imsat import _index
from support import program

RNG = np.random.default_rng(5)
CODES = RNG.integers(0, 256, (300, 3), np.uint8)
QUERIES = CODES[::7] ^ (RNG.random((43, 3)) < 0.2).astype(np.uint8)


def all_distances(codes=CODES, queries=QUERIES):
    return np.unpackbits(queries[:, None] ^ codes[None], axis=2).sum(axis=2)


class Search(unittest.TestCase):
    def test_nearest(self):
        expected = np.argsort(all_distances(), axis=1, kind="stable")[:, :9]
        for method in ("auto", "scan", "mih"):
            distances, ids = imsat.HammingIndex(CODES).search(QUERIES, 9, method=method, threads=1)
            np.testing.assert_array_equal(ids, expected)
            np.testing.assert_array_equal(distances,
                                          np.take_along_axis(all_distances(), expected, 1))
            self.assertEqual((distances.dtype, ids.dtype), (np.int32, np.int64))

    def test_fewer_than_asked_for(self):
        hits = imsat.HammingIndex(CODES[:4], ids=[9, 7, -3, 5]).search(CODES[:2], 6)
        self.assertEqual(hits.ids.shape, (2, 6))
        self.assertEqual(list(hits.ids[0, 4:]), [-1, -1])
        self.assertEqual(list(hits.distances[1, 4:]), [-1, -1])
        self.assertEqual(hits.ids[0, 0], 9)
        near = imsat.HammingIndex(CODES).search(QUERIES, 300, radius=3)
        for row, mine, theirs in zip(near.distances, near.ids, all_distances()):
            self.assertEqual(set(mine[row >= 0]), set(np.flatnonzero(theirs <= 3)))

    def test_within(self):
        lims, distances, ids = imsat.HammingIndex(CODES).within(QUERIES, 7)
        table = all_distances()
        self.assertEqual(len(lims), len(QUERIES) + 1)
        for q in range(len(QUERIES)):
            mine = ids[lims[q]:lims[q + 1]]
            self.assertEqual(sorted(mine), list(np.flatnonzero(table[q] <= 7)))
            np.testing.assert_array_equal(distances[lims[q]:lims[q + 1]], table[q][mine])
            self.assertTrue((np.diff(distances[lims[q]:lims[q + 1]]) >= 0).all())

    def test_in_pieces(self):
        """Many queries are answered some at a time, with the same answers."""
        index, many = imsat.HammingIndex(CODES), np.tile(QUERIES, (5, 1))
        whole = index.search(many, 4), index.within(many, 6)
        with mock.patch.object(_index, "COMPARED_AT_ONCE", 1):
            for one, other in zip(whole, (index.search(many, 4), index.within(many, 6))):
                for a, b in zip(one, other):
                    np.testing.assert_array_equal(a, b)
                    self.assertEqual(a.dtype, b.dtype)

    def test_bits(self):
        bits = RNG.random((50, 13)) < 0.5
        index = imsat.HammingIndex(bits)
        self.assertEqual((index.n_bits, len(index)), (13, 50))
        self.assertEqual(repr(index), "HammingIndex(50 codes of 13 bits)")
        np.testing.assert_array_equal(index.search(bits, 1).distances, np.zeros((50, 1)))
        same = imsat.HammingIndex(np.packbits(bits, axis=1), n_bits=13)
        np.testing.assert_array_equal(same.search(bits, 5).ids, index.search(bits, 5).ids)

    def test_no_queries(self):
        self.assertEqual(imsat.HammingIndex(CODES).search(CODES[:0], 3).ids.shape, (0, 3))
        self.assertEqual(len(imsat.HammingIndex(CODES).within(CODES[:0], 3).ids), 0)

    def test_refused(self):
        index = imsat.HammingIndex(CODES)
        for call, sentence in (
                (lambda: index.search(QUERIES, 0), "must be at least 1"),
                (lambda: index.search(QUERIES, 3, radius=-1), "nothing within"),
                (lambda: index.within(QUERIES, -2), "nothing within"),
                (lambda: index.search(QUERIES, 3, method="magic"), "none of auto, scan, mih"),
                (lambda: index.search(QUERIES[:, :2], 3), "24 bits have 3 bytes, and these have 2"),
                (lambda: index.search(QUERIES[0], 3), "two dimensions"),
                (lambda: index.search(QUERIES.astype(float), 3), "uint8"),
                (lambda: index.search(None, 3), ""),
                (lambda: imsat.HammingIndex(CODES, ids=[1, 2]), "2 ids for 300 codes"),
                (lambda: imsat.HammingIndex(CODES, ids=np.zeros(300, int)), "id 0"),
                (lambda: imsat.HammingIndex(CODES, ids=np.zeros(300)), "integers"),
                (lambda: imsat.HammingIndex(CODES | 1, n_bits=23), "bit"),
                (lambda: imsat.HammingIndex(CODES, n_bits=-8), ""),
                (lambda: imsat.HammingIndex(np.zeros((4, 200), np.uint8)), "bits"),
                (lambda: index.append(CODES, ids=np.arange(300)), "id"),
                (lambda: index.remove([1000]), "1000")):
            with self.assertRaisesRegex((ValueError, TypeError), sentence):
                call()


class Keeping(unittest.TestCase):
    def test_append_and_remove(self):
        index = imsat.HammingIndex(CODES[:100])
        index.append(CODES[100:])
        np.testing.assert_array_equal(index.search(QUERIES, 5).ids,
                                      imsat.HammingIndex(CODES).search(QUERIES, 5).ids)
        index.remove(np.arange(0, 300, 2))
        self.assertEqual(len(index), 150)
        self.assertTrue((index.search(QUERIES, 5).ids % 2 == 1).all())

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "codes.index"
            index = imsat.HammingIndex(CODES)
            index.save(path)
            loaded = imsat.HammingIndex.load(path)
            expected = index.search(QUERIES, 5)
            for other in (loaded, pickle.loads(pickle.dumps(loaded))):
                np.testing.assert_array_equal(other.search(QUERIES, 5).ids, expected.ids)
            self.assertEqual(imsat.update_index(path, CODES[:10], np.arange(1000, 1010)), 310)
            self.assertEqual(imsat.update_index(path, delete=np.arange(300)), 10)
            self.assertEqual(len(loaded), 300)
            self.assertEqual(imsat.HammingIndex.load(path).search(CODES[:1], 1).ids, [[1000]])
            path.write_bytes(path.read_bytes()[:100])
            with self.assertRaises(imsat.FormatError):
                imsat.HammingIndex.load(path)
            with self.assertRaises(OSError):
                imsat.HammingIndex.load(path / "none")

    def test_the_program_has_the_same_files(self):
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/codes.npy", CODES)
            np.save(f"{folder}/queries.npy", QUERIES)
            imsat.HammingIndex(CODES).save(f"{folder}/mine")
            program("index", f"{folder}/codes.npy", "-o", f"{folder}/theirs")
            self.assertEqual(Path(folder, "mine").read_bytes(),
                             Path(folder, "theirs").read_bytes())
            program("search", f"{folder}/mine", f"{folder}/queries.npy", "-n", 5, "-o",
                    f"{folder}/ids.npy")
            theirs = imsat.HammingIndex.load(f"{folder}/theirs")
            np.testing.assert_array_equal(theirs.search(QUERIES, 5).ids,
                                          np.load(f"{folder}/ids.npy"))


if __name__ == "__main__":
    unittest.main()
