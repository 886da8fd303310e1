# SPDX-License-Identifier: MIT
"""Scores of clusters and of searches, against classes that are known.

>>> from imsat import metrics
>>> score = metrics.clusters([0, 0, 1, 1], [5, 5, 3, 5])
>>> score.acc, score.purity
(0.75, 0.75)
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _imsat
from ._index import _bits, packed


class ClusterScore(NamedTuple):
    """Clusters against classes."""

    acc: float  # share of rows in the cluster matched to their class, best one to one
    nmi: float  # mutual information / arithmetic mean of the two entropies
    ari: float  # adjusted Rand index: 0 for chance, 1 for equal partitions
    purity: float  # share of rows in the largest class of their cluster
    n_clusters: int
    n_classes: int


class SearchScore(NamedTuple):
    """A search against classes: a code is relevant if it has the query's label."""

    map: float  # mean average precision over the whole gallery
    precision_at: float  # mean share of relevant codes among the nearest
    precision_radius: float  # mean share of relevant codes within the radius
    empty: int  # queries with nothing within the radius
    n_queries: int
    n_gallery: int
    n_bits: int
    irrelevant: int  # queries of a class that the gallery has not
    recall: np.ndarray  # (n_bits + 1): mean share of the relevant codes within 0, 1, ...
    precision: np.ndarray  # (n_bits + 1): mean precision within 0, 1, ...


def _numbers(labels: Any) -> np.ndarray:
    """Any labels as numbers from 0."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels have one dimension, and these have {array.ndim}")
    return np.unique(array, return_inverse=True)[1].astype(np.int32)


def clusters(y_true: Any, y_pred: Any) -> ClusterScore:
    """All scores of predicted clusters at once; labels may be of any type."""
    return ClusterScore(*_imsat.evaluate_clusters(_numbers(y_pred), _numbers(y_true)))


def accuracy(y_true: Any, y_pred: Any) -> float:
    """Share of rows in the cluster that is matched to their class, best one to one."""
    return clusters(y_true, y_pred).acc


def nmi(y_true: Any, y_pred: Any) -> float:
    """Information that clusters and classes share, 0 to 1."""
    return clusters(y_true, y_pred).nmi


def ari(y_true: Any, y_pred: Any) -> float:
    """Adjusted Rand index: 0 for chance, 1 for equal partitions."""
    return clusters(y_true, y_pred).ari


def purity(y_true: Any, y_pred: Any) -> float:
    """Share of rows in the largest class of their cluster."""
    return clusters(y_true, y_pred).purity


def search(gallery: Any, gallery_labels: Any, queries: Any, query_labels: Any, *,
           n_bits: int | None = None, ties: str = "block", at: int = 500, radius: int = 2,
           skip_empty: bool = False, threads: int = 0) -> SearchScore:
    """Score the search of codes in a gallery of codes.

    ties is what the order of equally distant codes is taken to be for mAP: "block", a distance is
    one rank, as scikit-learn; "expected", the mean over all orders; "id".
    """
    if at < 0 or radius < 0:
        raise ValueError(f"at is {at} and radius {radius}; neither may be below 0")
    codes, bits = packed(gallery), _bits(gallery, n_bits)
    both = _numbers(np.concatenate([np.asarray(gallery_labels), np.asarray(query_labels)]))
    first, second = both[:len(codes)].copy(), both[len(codes):].copy()
    *rest, recall, precision = _imsat.evaluate_hash(
        codes, first, packed(queries), second, bits, ties, at, radius, skip_empty, threads)
    return SearchScore(*rest, np.frombuffer(recall), np.frombuffer(precision))


def split(labels: Any, per_class: int = 100, random_state: int = 0) -> np.ndarray:
    """Draw queries, per_class rows of every class: truth values, true for them."""
    numbers = _numbers(labels)
    out = np.empty(len(numbers), np.uint8)
    _imsat.hash_split(numbers, per_class, random_state, out)
    return out.astype(bool)
