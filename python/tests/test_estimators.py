# SPDX-License-Identifier: MIT
"""Both estimators, as scikit-learn and its users would have them."""
import copy
import functools
import pickle
import re
import tempfile
import unittest
import warnings
from pathlib import Path

import imsat
import numpy as np
from imsat import _options
from sklearn.base import clone
from sklearn.utils import estimator_checks
from support import SMALL, blobs

# These need images, or a function.
NOT_OF_ANY_ROWS = {"imsat-affine", "imsat-vat-affine", "own"}

# Auto-encoders learn more slowly than check_clustering wants clusters.
SLOW = {"dae-kmeans", "dec"}


def small(kind, size, method):
    """An estimator of a method, with a short training where it has one. The checks have rows of as
    few as two columns, and on sparse data expect 4 columns of predict_proba."""
    options = {"hidden": (16,), "epochs": 300 if method in SLOW else 60}
    while True:
        estimator = kind(size, method=method, **options)
        try:
            estimator.fit(blobs(40)[0])
            return kind(size, method=method, **options)
        except imsat.InvalidError as error:
            unused = re.match(r"(\w+) is set \(.*does not use it", str(error))
            if not unused:
                raise
            del options[unused.group(1)]


CHECKED = [small(kind, size, method)
           for kind, task, size in ((imsat.IMSAT, "cluster", 4), (imsat.Hasher, "hash", 2))
           for method in imsat.methods(task) if method not in NOT_OF_ANY_ROWS]

# What check_estimator() asks of scikit-learn's own estimators alone.
FURTHER = [
    "check_clusterer_compute_labels_predict", "check_clustering",
    "check_dataframe_column_names_consistency", "check_estimators_unfitted",
    "check_n_features_in_after_fitting",
    "check_set_output_transform", "check_set_output_transform_pandas",
    "check_transformer_get_feature_names_out", "check_transformer_get_feature_names_out_pandas",
    "check_transformer_preserve_dtypes",
]


class ScikitLearn(unittest.TestCase):
    def passes(self, estimator, check):
        name = getattr(check, "func", check).__name__
        with self.subTest(estimator=repr(estimator), check=name), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check(estimator)
            except unittest.SkipTest as skipped:
                self.fail(f"{name} was skipped: {skipped}")

    def test_checks(self):
        """All checks of scikit-learn pass; none is skipped."""
        for estimator in CHECKED:
            count = 0
            for one, check in estimator_checks.check_estimator(estimator, generate_only=True):
                self.passes(one, check)
                count += 1
            self.assertGreater(count, 30)

    def test_further_checks(self):
        for estimator in CHECKED:
            for name in FURTHER:
                if "cluster" in name and isinstance(estimator, imsat.Hasher):
                    continue
                check = getattr(estimator_checks, name)
                self.passes(estimator, functools.partial(check, type(estimator).__name__))

    def test_not_fitted(self):
        from sklearn.exceptions import NotFittedError

        for error in (NotFittedError, imsat.NotFittedError):
            with self.assertRaises(error):
                imsat.IMSAT().predict([[1.0, 2.0]])
            with self.assertRaises(error):
                imsat.Hasher().save("nowhere")

    def test_set_output(self):
        import pandas

        frame = pandas.DataFrame(blobs()[0], columns=list("abcde"),
                                 index=np.arange(120) + 1000)
        estimator = imsat.IMSAT(3, **SMALL).set_output(transform="pandas").fit(frame)
        self.assertEqual(list(estimator.feature_names_in_), list("abcde"))
        out = estimator.transform(frame)
        self.assertEqual(list(out.columns), ["imsat0", "imsat1", "imsat2"])
        self.assertEqual(list(out.index[:2]), [1000, 1001])
        codes = imsat.Hasher(12, method="lsh").set_output(transform="pandas").fit_transform(frame)
        self.assertEqual(list(codes.columns), ["hasher0", "hasher1"])
        with self.assertRaisesRegex(ValueError, "same order"):
            estimator.predict(frame[list("bacde")])
        with self.assertRaisesRegex(ValueError, "'default' or 'pandas'"):
            estimator.set_output(transform="stone")


class Parameters(unittest.TestCase):
    def test_every_option_is_a_parameter(self):
        table = {row["name"]: row for row in imsat.options()}
        self.assertLessEqual(set(_options.NAMES), set(table))
        self.assertLessEqual(set(_options.DEFAULTS), set(table))
        for task, estimator in (("cluster", imsat.IMSAT()), ("hash", imsat.Hasher())):
            expected = {_options.parameter_name(name) for name, row in table.items()
                        if task in row["tasks"]} - {"task"}
            self.assertEqual(set(estimator.get_params()) - set(_options.EXTRA), expected)

    def test_parameters_are_kept(self):
        estimator = imsat.IMSAT(7, method="deep-rim", lambda_=0.2)
        self.assertEqual(repr(estimator), "IMSAT(n_clusters=7, method='deep-rim', lambda_=0.2)")
        other = clone(estimator).set_params(n_clusters=5, hidden=())
        self.assertEqual((other.n_clusters, other.hidden, other.lambda_), (5, (), 0.2))
        with self.assertRaisesRegex(ValueError, "Invalid parameter 'k' for estimator IMSAT"):
            other.set_params(k=3)
        with self.assertRaises(TypeError):
            imsat.IMSAT(no_such_parameter=1)

    def test_values_as_text(self):
        for value, text in ((True, "yes"), (np.bool_(False), "no"), (np.int64(7), "7"),
                            (np.float32(0.5), "0.5"), (1e-300, "1e-300"), ("auto", "auto"),
                            (Path("a/b"), "a/b")):
            self.assertEqual(_options.text_of("x", value), text)
        self.assertEqual(_options.text_of("hidden", (400, 30)), "400,30")
        self.assertEqual(_options.text_of("hidden", []), "none")
        for value in ([1], {}, object(), 1j):
            with self.assertRaisesRegex(TypeError, "is no value for it"):
                _options.text_of("x", value)
        with self.assertRaisesRegex(ValueError, "zero byte"):
            _options.text_of("x", "a\0b")

    def test_values_that_are_refused(self):
        X = blobs()[0]
        for wrong, sentence in (
                ({"n_clusters": 500}, "k is 500, but there are only 120 rows"),
                ({"n_clusters": -1}, "k -1: not a whole number"),
                ({"alpha": -1}, "alpha is -1, and must be at least 0"),
                ({"method": "magic"}, 'no method "magic"'),
                ({"preset": "magic"}, "preset magic: is none of default, paper, reference"),
                ({"restarts": 3}, "method imsat-vat does not use it"),
                ({"prior": [0.5, 0.5]}, "prior: 2 numbers for 3 clusters"),
                ({"prior": [0.5, 0.6, 0.7]}, "prior"),
                ({"radius": np.ones(3)}, "radius: 3 numbers for 120 rows"),
                ({"method": "own"}, "augment"),
                ({"image": (2, 2)}, "do not fit rows of 5"),
                ({"image": 4.5}, ""),
                ({"random_state": -1}, "seed -1"),
                ({"method": "imsat-affine"}, "image")):
            with self.subTest(**wrong), self.assertRaisesRegex((ValueError, TypeError), sentence):
                imsat.IMSAT(**{"n_clusters": 3, **wrong}).fit(X)

    def test_random_states(self):
        X = blobs()[0]
        seeds = [imsat.IMSAT(3, method="kmeans", random_state=state).fit(X).runs_[0]["seed"]
                 for state in (None, 7, np.random.RandomState(1), np.random.default_rng(1),
                               np.random.RandomState(1))]
        self.assertEqual(seeds[:2], [1, 7])
        self.assertEqual(seeds[2], seeds[4])
        self.assertEqual(len(set(seeds)), 4)


class Learning(unittest.TestCase):
    def test_clusters(self):
        X, truth = blobs()
        estimator = imsat.IMSAT(3, n_runs=3, **SMALL).fit(X)
        self.assertGreater(imsat.metrics.accuracy(truth, estimator.labels_), 0.8)
        self.assertEqual(estimator.labels_of_runs_.shape, (3, 120))
        np.testing.assert_array_equal(estimator.labels_,
                                      estimator.labels_of_runs_[estimator.best_run_])
        self.assertEqual([run["seed"] for run in estimator.runs_], [3, 4, 5])
        self.assertEqual(estimator.objective_, min(run["objective"] for run in estimator.runs_))
        self.assertTrue(-1 <= estimator.agreement_ <= 1)
        self.assertEqual(estimator.n_iter_, 60)
        self.assertEqual(estimator.options_["hidden"], "16")
        proba = estimator.predict_proba(X)
        np.testing.assert_array_equal(proba.argmax(axis=1), estimator.predict(X))
        np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-5)
        self.assertTrue(0.5 < estimator.score(X) <= np.log(3) + 1e-9)
        self.assertLess(np.median(estimator.distance(X)), 2)
        self.assertGreater(estimator.distance(X[:1] + 1000)[0], 20)
        self.assertLess(estimator.is_outlier(X).mean(), 0.05)
        self.assertTrue(estimator.is_outlier(X[:1] + 1000)[0])
        self.assertGreater(np.median(estimator.confidence(X)), 0.9)
        self.assertAlmostEqual(estimator.confidence(X[:1] + 1000)[0], 1 / 3)

    def test_history(self):
        """An entry an epoch, also of very many, of which some are kept."""
        told = []
        model = imsat.IMSAT(3, n_runs=2, progress=lambda p: told.append(p) and None,
                            **SMALL).fit(blobs()[0])
        done = [p for p in told if p.epoch_done]
        self.assertEqual(len(model.history_), 120)
        for name in ("run", "epoch", "objective"):
            self.assertEqual(list(model.history_[name]),
                             [np.float32(getattr(p, name)) for p in done])
        self.assertEqual(list(model.history_["sat"]),
                         [np.float32(p.terms["sat"]) for p in done])
        self.assertNotIn("pair_info", model.history_.dtype.names)
        long = imsat.IMSAT(2, method="linear-rim", epochs=1000).fit(blobs(20)[0])
        self.assertEqual(list(long.history_["epoch"]), list(range(8, 1001, 8)))
        with tempfile.TemporaryDirectory() as folder:
            long.save(Path(folder, "model"))
            again = imsat.load(Path(folder, "model"))
        self.assertTrue(np.array_equal(again.history_, long.history_))
        for without in (imsat.IMSAT(3, method="kmeans"), imsat.IMSAT(1)):
            self.assertEqual(len(without.fit(blobs()[0]).history_), 0)

    def test_codes(self):
        X, truth = blobs()
        estimator = imsat.Hasher(12, n_runs=2, **SMALL)
        codes = estimator.fit_transform(X)
        self.assertEqual((codes.shape, codes.dtype), ((120, 2), np.uint8))
        np.testing.assert_array_equal(codes, estimator.transform(X))
        bits = np.unpackbits(codes, axis=1)
        np.testing.assert_array_equal(bits[:, :12], estimator.bit_proba(X) > 0.5)
        self.assertFalse(bits[:, 12:].any())

    def test_one_cluster(self):
        X = blobs()[0]
        estimator = imsat.IMSAT(1).fit(X)
        self.assertFalse(estimator.predict(X).any())
        self.assertEqual(estimator.score(X), 0)
        self.assertEqual(pickle.loads(pickle.dumps(estimator)).predict_proba(X).shape, (120, 1))
        with self.assertRaisesRegex(ValueError, "has no file"):
            estimator.save("nowhere")
        with self.assertRaisesRegex(ValueError, "knows nothing"):
            estimator.distance(X)

    def test_prior_and_radius(self):
        X = blobs()[0]
        radius = imsat.neighbor_radius(X, 10)
        given = imsat.IMSAT(3, radius=radius, prior=[0.25, 0.25, 0.5], **SMALL).fit(X)
        found = imsat.IMSAT(3, prior=(0.25, 0.25, 0.5), **SMALL).fit(X)
        np.testing.assert_array_equal(given.predict_proba(X), found.predict_proba(X))
        self.assertNotEqual(given.objective_, imsat.IMSAT(3, **SMALL).fit(X).objective_)

    def test_refit_forgets(self):
        import pandas

        X = blobs()[0]
        estimator = imsat.IMSAT(3, **SMALL).fit(pandas.DataFrame(X, columns=list("abcde")))
        estimator.fit(X[:, :2])
        self.assertEqual(estimator.n_features_in_, 2)
        self.assertFalse(hasattr(estimator, "feature_names_in_"))


class Keeping(unittest.TestCase):
    def setUp(self):
        self.X = blobs()[0]
        self.models = [imsat.IMSAT(3, **SMALL).fit(self.X), imsat.Hasher(12, **SMALL).fit(self.X)]

    def test_pickles_and_copies(self):
        for estimator in self.models:
            for other in (pickle.loads(pickle.dumps(estimator)), copy.deepcopy(estimator)):
                self.assertEqual(repr(other), repr(estimator))
                np.testing.assert_array_equal(other.transform(self.X), estimator.transform(self.X))
                self.assertEqual(other.runs_, estimator.runs_)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for estimator in self.models:
                path = Path(folder) / "model.safetensors"
                estimator.save(path)
                other = imsat.load(path)
                self.assertIs(type(other), type(estimator))
                self.assertEqual(other.random_state, 3)
                np.testing.assert_array_equal(other.transform(self.X), estimator.transform(self.X))
                path.write_bytes(path.read_bytes()[:-1])
                with self.assertRaises(imsat.FormatError):
                    imsat.load(path)
            with self.assertRaises(OSError):
                imsat.load(Path(folder) / "none")
            with self.assertRaises(imsat.FileError):
                estimator.save(Path(folder) / "no" / "folder")


if __name__ == "__main__":
    unittest.main()
