# SPDX-License-Identifier: MIT
"""A page on what a model found."""
from __future__ import annotations

import os
from typing import Any, Callable

import numpy as np

from . import _imsat
from ._base import Path
from ._data import Data, feature_names
from ._options import seed_of
from ._progress import Bar, Progress, callback_of


def _encoded(names: Any) -> tuple[bytes, ...] | None:
    return None if names is None else tuple(
        name if isinstance(name, bytes) else str(name).encode("utf-8", "replace")
        for name in names)


def _classes(truth: Any, X: Any) -> tuple[np.ndarray | None, Any]:
    """Labels as int32, and what they are called: as they are if they are such numbers, and else
    numbered in their order. Those of files if none are given."""
    if truth is None and isinstance(X, Data):
        return X.labels, X._rows.label_words
    if truth is None:
        return None, None
    array = np.asarray(truth)
    small = array.dtype.kind in "iu" and (array.size == 0 or abs(array).max() < 2**31)
    names = None
    if not small:
        names, array = np.unique(array, return_inverse=True)
    return np.ascontiguousarray(array, np.int32), names


def report(model: Any, X: Any, path: Path, *, truth: Any = None, title: str | None = None,
           map_rows: int = 0, random_state: Any = None, threads: int = 0,
           progress: Callable[[Progress], Any] | None = None, verbose: int = 0) -> None:
    """Write a page on what a fitted model says of X: one HTML file that any browser opens.

    It tells what was found and how far to trust it, and shows a map of rows, the clusters with
    their typical and strange rows, the course of the training, and of codes a search to try.

    Parameters
    ----------
    model : IMSAT or Hasher
        That is fitted, or loaded.
    X : rows
        As of fit. Of an imsat.Data the files are named, and texts shown; of a data frame the
        columns.
    path : str or path
        Of the page.
    truth : array, shape (n_samples,)
        The class of each row, a number or a name, if it is known, to compare the clusters with.
        None: the labels of an imsat.Data, if it has some.
    title : str
        None: the library's.
    map_rows : int
        Rows on the map, drawn at random; 0: up to 20,000.
    random_state : int, RandomState or Generator
        Of the draw, and of the map; None: 1, as the program has it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import imsat
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> model = imsat.IMSAT(2, hidden=(10,), epochs=10).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "report.html"
    ...     imsat.report(model, X, path, title="Nothing but noise")
    ...     "Nothing but noise" in path.read_text(encoding="utf-8")
    True
    """
    rows = model._rows(X)
    trained = model._model()
    if not isinstance(trained, _imsat.Model):
        raise ValueError("a model of one cluster has nothing to show")
    labels, names = _classes(truth, X)
    files = isinstance(X, Data)
    bar = Bar() if verbose else None
    try:
        _imsat.report(os.fsencode(path), trained, rows, title, X.paths if files else (),
                      X.text_column if files else None, labels, _encoded(names),
                      _encoded(feature_names(X)), map_rows,
                      1 if random_state is None else seed_of(random_state), threads,
                      callback_of(progress, bar))
    finally:
        if bar is not None:
            bar.close()
