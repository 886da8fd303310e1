# SPDX-License-Identifier: MIT
"""Which method to trust, and how many clusters there are."""
import unittest

import imsat
import numpy as np
from support import blobs

FAST = ["kmeans", "gmm"]


class Choices(unittest.TestCase):
    def test_compare(self):
        X, truth = blobs(150)
        told = []
        found = imsat.compare(X, 3, methods=FAST, random_state=2, progress=told.append)
        self.assertTrue(found.structure)
        self.assertIn(found.best, FAST)
        self.assertEqual(str(found), found.sentence)
        self.assertEqual([row.method for row in found.methods], FAST)
        best = next(row for row in found.methods if row.method == found.best)
        self.assertEqual(imsat.metrics.accuracy(truth[found.rows], best.labels), 1)
        self.assertGreater(best.data.information, 0.9)
        self.assertEqual(set(best.null), {"normal", "uniform", "permuted"})
        self.assertLessEqual({p.stage for p in told}, {"prepare", "compare"})
        again = imsat.compare(X, 3, methods=FAST, random_state=2, threads=1)
        self.assertEqual(again.sentence, found.sentence)
        self.assertEqual(repr([row.data for row in again.methods]),
                         repr([row.data for row in found.methods]))

    def test_noise(self):
        noise = np.random.default_rng(0).normal(size=(150, 4))
        found = imsat.compare(noise, 3, methods=FAST)
        self.assertFalse(found.structure)
        self.assertIsNone(found.best)
        self.assertIs(imsat.has_structure(noise, 3), False)

    def test_number_of_clusters(self):
        X = blobs(150)[0]
        found = imsat.choose_k(X, 2, 5)
        self.assertEqual(found.n_clusters, 3)
        self.assertEqual([row.n_clusters for row in found.table], [2, 3, 4, 5])
        self.assertTrue(found.table[1].stands)
        self.assertEqual(str(found), found.sentence)
        self.assertIs(imsat.has_structure(X, 3), True)
        self.assertIsNone(imsat.has_structure(X[:6], 3))
        noise = np.random.default_rng(0).normal(size=(150, 4))
        self.assertIsNone(imsat.choose_k(noise, 2, 3).n_clusters)

    def test_refused(self):
        X = blobs()[0]
        for call, sentence in (
                (lambda: imsat.compare(X, 3, methods=["magic"]), "magic"),
                (lambda: imsat.compare(X, 1), "k is 1"),
                (lambda: imsat.compare(X, 60), "rows"),
                (lambda: imsat.compare(X, 3, budget=-1.0), "budget"),
                (lambda: imsat.compare(X, 3, no_such=1), "no_such"),
                (lambda: imsat.choose_k(X, 5, 2), ""),
                (lambda: imsat.choose_k(X, -5, 2), "")):
            with self.assertRaisesRegex(ValueError, sentence):
                call()

        def stop(progress):
            raise KeyError

        with self.assertRaises(KeyError):
            imsat.compare(X, 3, progress=stop)


if __name__ == "__main__":
    unittest.main()
