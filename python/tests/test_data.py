# SPDX-License-Identifier: MIT
"""What is taken as data, what is refused, and that nothing is copied that need not be."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import imsat
import numpy as np
import pandas
import scipy.sparse
from imsat._data import rows_of
from support import DIGITS, SMALL, blobs

KMEANS = {"n_clusters": 3, "method": "kmeans", "random_state": 3}


def read(X, **options):
    """What the library has of X."""
    rows = rows_of(X, **options)
    out = np.empty((rows.rows, rows.dim), np.float32)
    rows.read(0, rows.rows, out)
    return out


class Arrays(unittest.TestCase):
    def test_types_and_layouts(self):
        x = np.arange(24, dtype=np.float64).reshape(6, 4)
        for dtype in ("bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8",
                      ">f4", ">i8", "longdouble", "O", "U8"):
            array = x.astype(dtype)
            np.testing.assert_array_equal(read(array), array.astype(np.float32), dtype)
        for array in (x, np.asfortranarray(x), x[::2], x[:, ::3], x[::-1], x.T, x[:, :1],
                      np.broadcast_to(x[:1], (5, 4)), x.tolist(), memoryview(x)):
            np.testing.assert_array_equal(read(array), np.asarray(array, np.float32))

    def test_the_same_values_give_the_same_model(self):
        X = np.round(blobs(dtype=np.float64)[0] * 8)
        models = [imsat.IMSAT(3, **SMALL).fit(array).predict_proba(X) for array in (
            X, X.astype(np.float32), X.astype(np.int16), np.asfortranarray(X),
            np.repeat(X, 2, axis=1)[:, ::2], pandas.DataFrame(X), X.astype(object))]
        for other in models[1:]:
            np.testing.assert_array_equal(models[0], other)

    def test_doubles_are_not_rounded_first(self):
        """Offsets that float32 swallows, as the program keeps them, too."""
        X = blobs(dtype=np.float64)[0] + 1e9
        labels = imsat.IMSAT(**KMEANS).fit_predict(X)
        self.assertEqual(imsat.metrics.accuracy(blobs()[1], labels), 1)

    def test_images(self):
        pixels = (np.random.default_rng(0).random((30, 4, 5, 2)) * 255).astype(np.uint8)
        fitted = [imsat.IMSAT(2, method="imsat-affine", **SMALL).fit(pixels),
                  imsat.IMSAT(2, method="imsat-affine", image=(4, 5, 2), **SMALL)
                  .fit(pixels.reshape(30, 40))]
        self.assertEqual(fitted[0].n_features_in_, 40)
        np.testing.assert_array_equal(fitted[0].predict_proba(pixels),
                                      fitted[1].predict_proba(pixels.reshape(30, 40)))
        with self.assertRaisesRegex(ValueError, "not .height, width."):
            imsat.IMSAT(image=(4,)).fit(pixels)

    def test_sparse(self):
        dense = blobs()[0] * (np.random.default_rng(1).random((120, 5)) < 0.4)
        expected = imsat.IMSAT(**KMEANS).fit(dense).labels_
        for kind in ("csr", "csc", "coo", "lil", "dok", "bsr"):
            X = scipy.sparse.csr_matrix(dense).asformat(kind)
            np.testing.assert_array_equal(imsat.IMSAT(**KMEANS).fit(X).labels_, expected, kind)
        wide = scipy.sparse.csr_matrix(dense.astype(np.float64))
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        np.testing.assert_array_equal(read(wide), dense)
        doubled = scipy.sparse.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [2, 2, 0])), (2, 3))
        np.testing.assert_array_equal(read(doubled), [[0, 0, 3], [4, 0, 0]])
        np.testing.assert_array_equal(read(scipy.sparse.csr_matrix((2, 3))), np.zeros((2, 3)))
        unsorted = scipy.sparse.csr_matrix((np.ones(2), np.array([2, 0]), np.array([0, 2])), (1, 3))
        np.testing.assert_array_equal(read(unsorted), [[1, 0, 1]])
        self.assertEqual(list(unsorted.indices), [2, 0])  # the caller's own stays as it was

    def test_refused(self):
        X = blobs()[0].astype(np.float64)
        broken = {np.nan: "is nan", np.inf: "is inf", 1e300: "beyond the range of float"}
        for value, sentence in broken.items():
            bad = X.copy()
            bad[7, 2] = value
            with self.assertRaisesRegex(imsat.FormatError, f"row 7, column 2.*{sentence}"):
                imsat.IMSAT().fit(bad)
            with self.assertRaisesRegex(imsat.FormatError, "row 7, column"):
                imsat.IMSAT().fit(scipy.sparse.csr_matrix(bad))
        for bad, sentence in (
                (X + 0j, "Complex data not supported"), ([["a", "b"]] * 9, "could not convert"),
                (np.array([[{}, 1]] * 9, object), "float"), (X[0], "Reshape your data"),
                (np.float32(3), "scalar array"), (np.zeros((0, 3)), "0 sample"),
                (np.zeros((9, 0)), "0 feature"), (np.zeros((1, 3)), "1 sample"),
                (np.zeros((2, 2, 2, 2, 2)), "dim 5"), (None, ""), ("digits.csv", ""), ({}, ""),
                (np.zeros((9, 2), "M8[s]"), "no numbers"), ([[1], [1, 2]], ""),
                (scipy.sparse.csr_matrix((0, 3)), "0 sample"),
                (scipy.sparse.csr_matrix(np.eye(3) * 1j), "Complex")):
            with self.subTest(bad=repr(bad)[:40]):
                with self.assertRaisesRegex((ValueError, TypeError), sentence):
                    imsat.IMSAT(2).fit(bad)
        estimator = imsat.IMSAT(**KMEANS).fit(X)
        with self.assertRaisesRegex(ValueError, "X has 4 features, but IMSAT is expecting 5"):
            estimator.predict(X[:, :4])

    def test_read_only_and_mapped(self):
        X = blobs()[0]
        X.flags.writeable = False
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", X)
            mapped = np.load(f"{folder}/x.npy", mmap_mode="r")
            np.testing.assert_array_equal(imsat.IMSAT(**KMEANS).fit(mapped).labels_,
                                          imsat.IMSAT(**KMEANS).fit(X).labels_)


# Fit and predict on an array of 200 MB, of which a copy would be seen: an epoch of a linear
# network reads all of it.
NO_COPY = """
import resource, numpy as np, imsat
X = np.random.default_rng(0).random((50_000, 1_000), np.float32)
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
model = imsat.IMSAT(4, method="linear-rim", epochs=1).fit(X)
model.predict(X)
print(X.nbytes, peak() - before)
"""


class Memory(unittest.TestCase):
    def test_float32_is_not_copied(self):
        X = blobs()[0]
        rows = rows_of(X)
        before = X[3, 2]
        X[3, 2] = 77  # seen by the library, so it reads this very array
        out = np.empty_like(X)
        rows.read(0, len(X), out)
        self.assertNotEqual(out[3, 2], before)
        self.assertEqual(out[3, 2], 77)
        done = subprocess.run([sys.executable, "-c", NO_COPY], check=True, text=True,
                              stdout=subprocess.PIPE)
        size, grown = map(int, done.stdout.split())
        self.assertLess(grown, size / 4)

    def test_rows_hold_on_to_their_memory(self):
        rows = rows_of(blobs()[0])
        with self.assertRaises(BufferError):
            array = bytearray(8)
            held = memoryview(array).cast("f", (1, 2))
            kept = rows_of(held)
            self.assertEqual(kept.rows, 1)
            array.extend(b"more")
        self.assertEqual(rows.rows, 120)


class Files(unittest.TestCase):
    def test_files_are_data(self):
        data = imsat.Data(DIGITS, label_column=64)
        self.assertEqual(data.shape, (1797, 64))
        self.assertEqual(len(data), 1797)
        self.assertEqual(sorted(set(data.labels.tolist())), list(range(10)))
        self.assertIn("csv", repr(data))
        X = data.to_numpy()
        options = {"n_clusters": 10, "method": "kmeans", "random_state": 1}
        fitted = imsat.IMSAT(**options).fit(data)
        np.testing.assert_array_equal(fitted.labels_, imsat.IMSAT(**options).fit_predict(X))
        np.testing.assert_array_equal(fitted.predict(data), fitted.labels_)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            path.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
            self.assertEqual(imsat.Data(path).column_names, ["a", "b"])
            self.assertIsNone(imsat.Data(path).labels)
            self.assertEqual(imsat.Data(path, path).shape, (4, 2))
            with self.assertRaisesRegex(OSError, "No such file"):
                imsat.Data(Path(folder) / "none.csv")
            path.write_text("1,2\n3\n", encoding="utf-8")
            with self.assertRaisesRegex(imsat.FormatError, "line 2"):
                imsat.Data(path)
            with self.assertRaisesRegex(ValueError, "no data file"):
                imsat.Data()
            self.assertEqual(os.listdir(folder), ["t.csv"])


if __name__ == "__main__":
    unittest.main()
