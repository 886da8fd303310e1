# SPDX-License-Identifier: MIT
"""Which method to trust on some data, and how many clusters there are, without labels."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from . import _imsat
from ._data import rows_of
from ._options import NAMES, seed_of, text_of
from ._progress import Bar, Progress, callback_of

BUDGET = 120.0  # seconds


class Measures(NamedTuple):
    """What a method's clusters are worth on some rows; nan: not measured."""

    information: float  # share of a label that the labels of nearest neighbors tell, 0 to 1
    nats: float  # the same as mutual information
    silhouette: float  # -1 to 1
    strength: float  # prediction strength of halves of the rows, 0 to 1
    seeds: float  # adjusted Rand index of two runs with different seeds
    rows: float  # the same of all rows and half of them, on the common rows


class Compared(NamedTuple):
    """A method in a comparison."""

    method: str
    left_out: str | None  # why nothing was measured; None: it was
    labels: np.ndarray | None  # of the rows that were compared on
    agreement: float  # mean adjusted Rand index with the other methods
    seconds: float
    data: Measures | None  # on the rows,
    null: dict[str, Measures | None]  # and on rows without clusters, by what these are


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Which method to trust. Its text is the library's sentence."""

    n_clusters: int
    rows: np.ndarray  # the numbers of those that methods were compared on
    methods: list[Compared]
    structure: bool  # whether there are clusters, more than in rows without any
    normals: bool | None  # whether the rows look like normals; None: not tested
    best: str | None  # the method to trust; None: there is no structure
    information: float  # of the test of structure: the share of the data,
    without: float  # that of rows without clusters,
    deviation: float  # and its standard deviation
    sentence: str  # which method, and why
    seconds: float

    def __str__(self) -> str:
        return self.sentence


class KRow(NamedTuple):
    """A number of clusters among others."""

    n_clusters: int
    method: str  # that separates these clusters best
    information: float
    without: float
    deviation: float
    strength: float  # prediction strength
    stands: bool  # there are clusters, and half of the rows find those of the other


@dataclasses.dataclass(frozen=True)
class KChoice:
    """How many clusters there are. Its text is the library's sentence."""

    n_clusters: int | None  # the largest number that stands; None: none does
    n_rows: int  # that were looked at
    table: list[KRow]
    sentence: str
    seconds: float

    def __str__(self) -> str:
        return self.sentence


def _texts(options: dict[str, Any]) -> dict[str, str]:
    """Options by the library's names, from those of the estimators."""
    back = {here: there for there, here in NAMES.items()}
    given = {back.get(name, name): value for name, value in options.items()}
    given["seed"] = seed_of(given.get("seed"))
    return {name: text_of(name, value) for name, value in given.items() if value is not None}


def _measures(values: tuple[float, ...] | None) -> Measures | None:
    return None if values is None else Measures(*values)


def _compared(method: str, left_out: str | None, labels: bytes | None, agreement: float,
              seconds: float, data: tuple[float, ...] | None,
              null: dict[str, tuple[float, ...] | None]) -> Compared:
    array = None if labels is None else np.frombuffer(labels, np.int32)
    return Compared(method, left_out, array, agreement, seconds, _measures(data),
                    {name: _measures(values) for name, values in null.items()})


def compare(X: Any, n_clusters: int, *, methods: Sequence[str] | None = None,
            budget: float = BUDGET, progress: Callable[[Progress], Any] | None = None,
            verbose: int = 0, **options: Any) -> Comparison:
    """Compare methods on at most 2000 rows, within about `budget` seconds, without labels.

    Each method is run with two seeds on the rows and on each half of them, and on rows without
    clusters. Further options are `random_state`, `threads`, `preset` and those of preprocessing.

    >>> import numpy as np
    >>> import imsat
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(center, 1, (100, 2)) for center in (0, 9)])
    >>> found = imsat.compare(X, 2, methods=["kmeans", "gmm"])
    >>> found.structure, found.best in ("kmeans", "gmm")
    (True, True)
    """
    names = None if methods is None else ",".join(methods)
    bar = Bar() if verbose else None
    try:
        found = _imsat.compare(rows_of(X), _texts({"n_clusters": n_clusters, **options}), names,
                               budget, callback_of(progress, bar))
    finally:
        if bar is not None:
            bar.close()
    found["rows"] = np.frombuffer(found["rows"], np.uintp)
    found["methods"] = [_compared(*row) for row in found["methods"]]
    found["structure"] = bool(found["structure"])
    found["normals"] = None if found["normals"] < 0 else bool(found["normals"])
    if not found["structure"]:
        found["best"] = None
    return Comparison(**found)


def choose_k(X: Any, first: int = 2, last: int = 10, *, budget: float = BUDGET,
             progress: Callable[[Progress], Any] | None = None, verbose: int = 0,
             **options: Any) -> KChoice:
    """Try every number of clusters from `first` to `last` on at most 1000 rows, without labels.

    Further options are those of compare().
    """
    bar = Bar() if verbose else None
    try:
        found = _imsat.choose_k(rows_of(X), _texts(options), first, last, budget,
                                callback_of(progress, bar))
    finally:
        if bar is not None:
            bar.close()
    found["table"] = [KRow(*row) for row in found["table"]]
    found["n_clusters"] = found["n_clusters"] or None
    return KChoice(**found)


def has_structure(X: Any, n_clusters: int, **options: Any) -> bool | None:
    """Whether n_clusters clusters separate the rows better than they do rows without any.

    None: there are too few rows to tell. It looks at 500 rows, and takes a second or less.
    """
    found, _, _ = _imsat.has_structure(rows_of(X), _texts({"n_clusters": n_clusters, **options}))
    return None if found < 0 else bool(found)
