# SPDX-License-Identifier: MIT
"""What is no estimator: the radius, models of files, the tables of the library."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _imsat
from ._base import Path, history_of
from ._cluster import IMSAT
from ._data import rows_of
from ._hasher import Hasher
from ._options import text_of


def neighbor_radius(X: Any, neighbor: int = 10, *, radius_method: str = "auto",
                    **options: Any) -> np.ndarray:
    """The distance of every row to its `neighbor`-th nearest other row, as training uses it.

    Further options are those of preprocessing, by the library's names: with the same ones
    the result is good for the parameter `radius` of an estimator.

    >>> import numpy as np
    >>> from imsat import neighbor_radius
    >>> neighbor_radius(np.array([[0.0], [1.0], [3.0]]), 1, center=False)
    array([1., 1., 2.], dtype=float32)
    """
    given = {"neighbor": neighbor, "radius_method": radius_method, **options}
    rows = rows_of(X)
    out = np.empty(rows.rows, np.float32)
    texts = {name: text_of(name, value) for name, value in given.items() if value is not None}
    _imsat.neighbor_radius(rows, texts, out)
    return out


def load(path: Path) -> IMSAT | Hasher:
    """The estimator of a model file, of this package or of the program `imsat`.

    It predicts as the one that was saved. What only training knows, such as labels_, is not in
    the file.
    """
    model = _imsat.model_load(os.fsencode(path))
    about = model.metadata()
    options = {name.removeprefix("option."): value for name, value in about.items()
               if name.startswith("option.")}
    common: dict[str, Any] = {name: options[name] for name in ("method", "preset")
                              if name in options}
    for name, parameter in (("seed", "random_state"), ("runs", "n_runs")):
        if name in options:
            common[parameter] = int(options[name])
    estimator: IMSAT | Hasher = (
        IMSAT(n_clusters=model.clusters, **common) if model.clusters
        else Hasher(n_bits=model.bits, **common))
    estimator.model_ = model
    estimator.history_ = history_of(model)
    estimator.n_features_in_ = model.dim
    estimator.options_ = options
    return estimator


def methods(task: str | None = None) -> dict[str, str]:
    """The methods, by name, with a line on each; those for "cluster" or "hash" alone.

    >>> import imsat
    >>> "lsh" in imsat.methods("hash"), "lsh" in imsat.methods("cluster")
    (True, False)
    """
    return {row["name"]: row["summary"] for row in _imsat.methods()
            if task is None or task in row["tasks"]}


def features() -> dict[str, bool]:
    """The libraries that imsat can do without, and whether this one was built with them."""
    return _imsat.features()


def guard_maps() -> None:
    """Survive files that are made shorter while they are mapped, as data or as an index.

    The read of what is gone is then an imsat.FileError, and not the end of the process. It takes a
    handler of SIGBUS for the whole process, for good, and so is the program's to ask for.
    """
    _imsat.guard_maps()


def options() -> list[dict[str, Any]]:
    """The library's table of options, a dict each: name, help, type, choices and so on."""
    return _imsat.options()
