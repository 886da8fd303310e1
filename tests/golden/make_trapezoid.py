#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Average precision as the trapezoid area under the precision-recall curve, by NumPy.

Prints the rows of `oracle` in tests/unit/test_ranking.c: random counts of codes and of relevant
ones at each distance, and the area. The lines of area() are those of precision_recall_curve()
and auc() of scikit-learn 0.18, whose average_precision_score() was their composition, on the
list of single codes.

    /usr/bin/python3 tests/golden/make_trapezoid.py
"""
import numpy as np


def area(scores, relevant):
    order = np.argsort(scores, kind="mergesort")[::-1]
    scores, relevant = scores[order], relevant[order]
    ends = np.r_[np.where(np.diff(scores))[0], relevant.size - 1]
    tps = np.cumsum(relevant)[ends]
    fps = 1 + ends - tps
    precision, recall = tps / (tps + fps), tps / tps[-1]
    last = tps.searchsorted(tps[-1])
    backward = slice(last, None, -1)
    precision, recall = np.r_[precision[backward], 1], np.r_[recall[backward], 0]
    return -np.trapz(precision, recall)


random = np.random.RandomState(14)
for case in range(8):
    n = random.randint(0, 7, 5)
    g = np.array([random.randint(0, m + 1) for m in n])
    if g.sum() == 0:
        n[3] = g[3] = 2
    distance = np.repeat(np.arange(5), n)
    relevant = np.concatenate([np.r_[np.ones(b), np.zeros(a - b)] for a, b in zip(n, g)])
    print("{{{%s}, {%s}}, %.17g}," % (", ".join(map(str, n)), ", ".join(map(str, g)),
                                      area(-distance.astype(float), relevant)))
