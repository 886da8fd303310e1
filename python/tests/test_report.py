# SPDX-License-Identifier: MIT
"""Pages on what was found."""
import json
import os
import pickle
import tempfile
import unittest
from pathlib import Path

import imsat
import numpy as np
import pandas
from support import DIGITS, SMALL, blobs, program


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "report.html"

    def page(self, *arguments, **options):
        imsat.report(*arguments, self.path, **options)
        return self.path.read_text(encoding="utf-8")

    def test_clusters(self):
        X, truth = blobs()
        model = imsat.IMSAT(3, n_runs=2, prior=[0.3, 0.3, 0.4], **SMALL).fit(X)
        page = self.page(model, X, truth=truth, title="A <b>bold</b> claim")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("A &lt;b&gt;bold&lt;/b&gt; claim", page)
        self.assertEqual(page, self.page(model, X, truth=truth, title="A <b>bold</b> claim"))
        named = self.page(model, X, truth=np.array(["x", "y", "z"])[truth])
        self.assertNotEqual(named, self.page(model, X))

    def test_codes_and_files(self):
        data = imsat.Data(DIGITS, label_column=64, image=(8, 8))
        hasher = imsat.Hasher(16, **SMALL).fit(data)
        page = self.page(hasher, data, map_rows=300)
        self.assertIn("digits.csv.gz", page)
        self.assertIn('id="curve-0"', page)
        self.assertEqual(page, self.page(pickle.loads(pickle.dumps(hasher)), data, map_rows=300))

    def test_as_the_program(self):
        """The page of a fitted model, of its file, and of `imsat report` are the same."""
        X = blobs()[0]
        folder = self.path.parent
        np.save(folder / "x.npy", X)
        here = os.getcwd()
        os.chdir(folder)
        self.addCleanup(os.chdir, here)
        model = imsat.IMSAT(3, n_runs=2, prior=[0.5, 0.3, 0.2], **SMALL).fit(X)
        model.save("model")
        program("report", "model", "x.npy", "-o", "theirs.html", cwd=folder)
        theirs = Path("theirs.html").read_text(encoding="utf-8")
        self.assertIn('id="curve-0"', theirs)
        self.assertEqual(self.page(model, imsat.Data("x.npy")), theirs)
        self.assertEqual(self.page(imsat.load("model"), imsat.Data("x.npy")), theirs)

    def test_names(self):
        """Of classes, whatever they are, and of the columns of a data frame; never run."""
        X, truth = blobs()
        frame = pandas.DataFrame(X, columns=["a", "b", "<i>c", "d", "e"])
        model = imsat.IMSAT(3, method="kmeans").fit(frame)
        page = self.page(model, frame, truth=np.array(["<b>x", "y", "z"])[truth])
        self.assertIn("mostly class &lt;b&gt;x", page)
        self.assertIn("&lt;i&gt;c", page)
        self.assertNotIn("<b>x", page)
        self.assertIn("mostly class 0.5", self.page(model, frame, truth=truth + 0.5))

    def test_texts(self):
        """The words and the texts of a file, its labels by name; and a model's own words."""
        fruit, stars = "apple pear plum fig", "moon sun orbit star"
        path = self.path.with_name("texts.jsonl")
        path.write_text("".join(json.dumps({"said": f"<u>{i} {text}", "by": name}) + "\n"
                                for i in range(20)
                                for name, text in (("Eve", fruit), ("Kim", stars))))
        data = imsat.Data(path, text_column="said", label_column="by")
        self.assertEqual(data.label_names, ["Eve", "Kim"])
        model = imsat.IMSAT(2, method="kmeans").fit(data)
        page = self.page(model, data)
        for shown in ("texts by", "apple", r"&lt;u&gt;\d+ moon sun", "mostly class Kim"):
            self.assertRegex(page, shown)
        program("report", "model", "texts.jsonl", "--text-column", "said", "--label-column", "by",
                "-o", "theirs.html", cwd=self.kept(model))
        self.assertEqual(page, path.with_name("theirs.html").read_text(encoding="utf-8"))
        other = path.with_name("other.jsonl")
        other.write_text(json.dumps({"said": "a pear and a new fig"}) + "\n")
        row = imsat.Data(other, text_column="said", model=model)
        self.assertEqual(row.shape, (1, model.n_features_in_))
        self.assertEqual(model.predict(row), model.labels_[0])

    def kept(self, model):
        """The folder with the model in it."""
        model.save(self.path.with_name("model"))
        return self.path.parent

    def test_refused(self):
        X = blobs()[0]
        model = imsat.IMSAT(3, **SMALL).fit(X)
        told = []
        imsat.report(model, X, self.path, progress=told.append)
        self.assertEqual({p.stage for p in told} - {"report"}, set())
        with self.assertRaisesRegex(ValueError, "truth: 2 labels for 120 rows"):
            imsat.report(model, X, self.path, truth=[1, 2])
        with self.assertRaisesRegex(ValueError, "expecting 5"):
            imsat.report(model, X[:, :2], self.path)
        with self.assertRaises(imsat.NotFittedError):
            imsat.report(imsat.IMSAT(), X, self.path)
        with self.assertRaisesRegex(ValueError, "nothing to show"):
            imsat.report(imsat.IMSAT(1).fit(X), X, self.path)
        with self.assertRaises(OSError):
            imsat.report(model, X, self.path / "below")


if __name__ == "__main__":
    unittest.main()
