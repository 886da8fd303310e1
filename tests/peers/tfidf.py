#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tf-idf beside scikit-learn's, with the same words, on made-up texts in several languages.

    tfidf.py [IMSAT]

IMSAT is the program; without it, $IMSAT. Texts are read from a folder, a tar archive of Python's
tarfile, JSON lines of Python's json and CSV of Python's csv; the rows of all four must be the
same, and within 1e-6 of TfidfVectorizer with the vocabulary that imsat has chosen, which must be
that of the most occurrences. Prints one line; exits with 0, or with an error.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tarfile

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

WORDS = """Apple pear plum Straße ÉTÉ naïve мир Москва ελλάδα Νερό 日本 東京 a1 b_2 x 42 1999
ångström ŁÓDŹ don't e-mail user@site.org the of and don re""".split()
SEPARATORS = [" ", ", ", "\n", "; ", ' "', "\r\n\r\n", "\t"]
PATTERN = r"(?u)\b\w\w+\b"  # scikit-learn's own


def draw(count):
    """Texts, and their classes."""
    texts = []
    for _ in range(count):
        words = random.choices(WORDS, k=random.randint(0, 40))
        texts.append("".join(w + random.choice(SEPARATORS) for w in words) + ".")
    return texts, [random.choice("abc") for _ in texts]


def write(texts, labels):
    """The same texts in four ways; returns what to call imsat with."""
    order = sorted(range(len(texts)), key=lambda i: (labels[i], f"{i:04}"))
    for i, text in enumerate(texts):
        os.makedirs(f"texts/{labels[i]}", exist_ok=True)
        with open(f"texts/{labels[i]}/{i:04}", "w", newline="", encoding="utf-8") as file:
            file.write(text)
    with tarfile.open("texts.tar.xz", "w:xz") as tar:
        for i in order:
            tar.add(f"texts/{labels[i]}/{i:04}")
    with open("texts.jsonl", "w", encoding="utf-8") as file:
        for i in order:
            file.write(json.dumps({"y": labels[i], "text": texts[i]}) + "\n")
    with open("texts.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["y", "text"])
        table.writerows([labels[i], texts[i]] for i in order)
    columns = ["--label-column", "y", "--text-column", "text"]
    lines = [["texts"], ["texts.tar.xz"], ["texts.jsonl", *columns], ["texts.csv", *columns]]
    return order, lines


def make_rows(program, line, options):
    """Rows, labels, numbers of documents and words by imsat."""
    outputs = "-o x.npy --labels y.npy --documents d.npy --vocabulary v.txt -q".split()
    subprocess.run(
        [program, "features", "tfidf", *line, *options, *outputs],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with open("v.txt", encoding="utf-8") as file:
        words = file.read().splitlines()
    return np.load("x.npy"), np.load("y.npy"), np.load("d.npy"), words


def check(program, words, least, damped, norm):
    """The largest difference from scikit-learn's."""
    texts, labels = draw(120)
    order, lines = write(texts, labels)
    texts, labels = [texts[i] for i in order], [labels[i] for i in order]
    options = ["--words", str(words), "--min-words", str(least), "--keep-stop-words"]
    options += ["--damped"] * damped + ["--keep-length"] * (norm is None)
    ours = [make_rows(program, line, options) for line in lines]
    for other in ours[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(ours[0], other)), "the files differ"
    x, y, documents, chosen = ours[0]
    counts = CountVectorizer(token_pattern=PATTERN)
    totals = np.asarray(counts.fit_transform(texts).sum(axis=0)).ravel()
    names = counts.get_feature_names_out()
    by_total = sorted(zip(-totals, [n.encode() for n in names]))[:words]
    assert sorted(n for _, n in by_total) == [w.encode() for w in chosen], "other words"
    kept = CountVectorizer(token_pattern=PATTERN, vocabulary=chosen).transform(texts).sum(axis=1)
    assert np.array_equal(documents, np.flatnonzero(np.asarray(kept).ravel() >= least))
    assert np.array_equal(y, [ord(labels[i]) - ord("a") for i in documents])
    theirs = TfidfVectorizer(
        token_pattern=PATTERN, vocabulary=chosen, sublinear_tf=damped, norm=norm
    )
    theirs = theirs.fit_transform([texts[i] for i in documents]).toarray()
    subprocess.run(
        [program, "features", "tfidf", "texts", *options, "-o", "x.svmlight", "-q"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    sparse, labels_again = load_svmlight_file(
        "x.svmlight", n_features=len(chosen), dtype=np.float32, zero_based=False
    )
    assert np.array_equal(sparse.toarray(), x) and np.array_equal(labels_again, y), "svmlight"
    subprocess.run(["rm", "-r", "texts"], check=True)
    return np.abs(x - theirs).max()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    random.seed(1)
    cases = [(10, 1, False, "l2"), (15, 5, True, "l2"), (1000, 10, False, "l2")]
    cases += [(15, 5, True, None)]
    worst = max(check(program, *case) for case in cases)
    print(f"tf-idf: within {worst:.1e} of scikit-learn's")
    return int(worst > 1e-6)


if __name__ == "__main__":
    sys.exit(main())
