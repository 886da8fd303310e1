# SPDX-License-Identifier: MIT
"""Scores beside scikit-learn's, and the radius beside its definition."""
import unittest

import imsat
import numpy as np
from imsat import metrics
from scipy.spatial.distance import cdist
from sklearn import metrics as theirs
from support import blobs


class Clusters(unittest.TestCase):
    def test_beside_scikit_learn(self):
        rng = np.random.default_rng(0)
        truth, found = rng.integers(0, 5, 400), rng.integers(0, 7, 400)
        found[:300] = truth[:300]
        self.assertAlmostEqual(metrics.nmi(truth, found),
                               theirs.normalized_mutual_info_score(truth, found))
        self.assertAlmostEqual(metrics.ari(truth, found),
                               theirs.adjusted_rand_score(truth, found))
        table = theirs.cluster.contingency_matrix(truth, found)
        self.assertAlmostEqual(metrics.purity(truth, found), table.max(axis=0).sum() / 400)
        score = metrics.clusters(truth, found)
        self.assertEqual((score.n_clusters, score.n_classes), (7, 5))

    def test_labels_of_any_type(self):
        self.assertEqual(metrics.accuracy(["b", "a", "a"], [2**40, -1, -1]), 1)
        self.assertEqual(metrics.clusters([0, 0, 1], [1, 1, 0]).acc, 1)
        with self.assertRaisesRegex(ValueError, "2 predicted labels, but 3 true ones"):
            metrics.accuracy([1, 2, 3], [1, 2])
        with self.assertRaisesRegex(ValueError, "one dimension"):
            metrics.accuracy([[1]], [[2]])


class Search(unittest.TestCase):
    def test_beside_scikit_learn(self):
        rng = np.random.default_rng(1)
        codes, labels = rng.integers(0, 256, (200, 2), np.uint8), rng.integers(0, 4, 200)
        drawn = metrics.split(labels, 10, 7)
        self.assertEqual(list(np.bincount(labels[drawn])), [10] * 4)
        gallery, queries = codes[~drawn], codes[drawn]
        score = metrics.search(gallery, labels[~drawn], queries, labels[drawn], at=20)
        distance = np.unpackbits(queries[:, None] ^ gallery[None], axis=2).sum(axis=2)
        relevant = labels[drawn][:, None] == labels[~drawn][None]
        expected = [theirs.average_precision_score(r, -d.astype(float))
                    for r, d in zip(relevant, distance)]
        self.assertAlmostEqual(score.map, np.mean(expected))
        self.assertEqual((score.n_queries, score.n_gallery, score.n_bits), (40, 160, 16))
        near = np.array([r[d <= 5].sum() for r, d in zip(relevant, distance)])
        self.assertAlmostEqual(score.recall[5], np.mean(near / relevant.sum(axis=1)))
        self.assertEqual(len(score.precision), 17)

    def test_refused(self):
        codes, labels = np.zeros((4, 1), np.uint8), [0, 1, 0, 1]
        with self.assertRaisesRegex(ValueError, "none of block"):
            metrics.search(codes, labels, codes, labels, ties="magic")
        with self.assertRaisesRegex(ValueError, "4 codes of 1 bytes, but 3 labels"):
            metrics.search(codes, labels, codes, labels[:3])
        for wrong in ({"at": -1}, {"radius": -2}, {"at": 0}, {"threads": -1}):
            with self.assertRaisesRegex(ValueError, "-1|-2|= 0"):
                metrics.search(codes, labels, codes, labels, **wrong)
        with self.assertRaises(ValueError):
            metrics.split(labels, 3)


class Radius(unittest.TestCase):
    def test_the_definition(self):
        X = blobs()[0]
        expected = np.sort(cdist(X, X), axis=1)[:, 4]
        np.testing.assert_allclose(imsat.neighbor_radius(X, 4, center=False), expected, rtol=1e-5)
        scaled = imsat.neighbor_radius(X, 4, center=False, scale=2.0)
        np.testing.assert_allclose(scaled, 2 * expected, rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "no_such"):
            imsat.neighbor_radius(X, no_such=3)
        with self.assertRaisesRegex(ValueError, "neighbor"):
            imsat.neighbor_radius(X, 0)


if __name__ == "__main__":
    unittest.main()
