# SPDX-License-Identifier: MIT
"""What both estimators are made of: from parameters and rows to a model, and its file."""
from __future__ import annotations

import copyreg
import os
from typing import Any, Callable

import numpy as np

from . import _imsat
from ._data import check_size, rows_of
from ._options import texts_of
from ._params import Columns, Output, Parameters, not_fitted
from ._progress import Bar, callback_of

Path = str | os.PathLike[str]


def bytes_of(save: Callable[[bytes], None]) -> bytes:
    """What `save` writes to the path that it is given, by way of memory."""
    file = os.memfd_create("imsat")
    try:
        save(b"/proc/self/fd/%d" % file)
        with open(file, "rb", closefd=False) as stream:
            stream.seek(0)
            return stream.read()
    finally:
        os.close(file)


def from_bytes(load: Callable[[bytes], Any], content: bytes) -> Any:
    """What `load` makes of a file with this content."""
    file = os.memfd_create("imsat")
    try:
        with open(file, "wb", closefd=False) as stream:
            stream.write(content)
        return load(b"/proc/self/fd/%d" % file)
    finally:
        os.close(file)


def _model_from_bytes(content: bytes) -> Any:
    return from_bytes(_imsat.model_load, content)


# Models are pickled and copied as their files.
copyreg.pickle(_imsat.Model, lambda model: (_model_from_bytes, (bytes_of(model.save),)))


def _augmenter(augment: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """What the library calls for the user's augmentation."""
    if augment is None:
        return None

    def call(batch: bytes, numbers: bytes, n: int, dim: int, seed: int) -> np.ndarray:
        x = np.frombuffer(batch, np.float32).reshape(n, dim).copy()
        made = augment(x, np.frombuffer(numbers, np.uintp), seed)
        made = np.ascontiguousarray(made, np.float32)
        if made.shape != (n, dim):
            raise ValueError(f"augment returned an array of shape {made.shape}, and must return "
                             f"one of shape {(n, dim)}")
        return made

    return call


def vector(value: Any, dtype: type) -> np.ndarray | None:
    """Numbers for the library, or None."""
    return None if value is None else np.ascontiguousarray(value, dtype)


def history_of(model: Any) -> np.ndarray:
    """The course of a model's training, an entry an epoch."""
    whole = ("run", "epoch")
    columns = {name: np.frombuffer(content, np.uint32 if name in whole else np.float32)
               for name, content in model.history().items()}
    made = np.empty(len(columns["run"]),
                    [(name, np.int64 if name in whole else np.float32) for name in columns])
    for name, column in columns.items():
        made[name] = column
    return made


class Estimator(Parameters, Columns, Output):
    """Learns a model of rows, and keeps it."""

    _task: str

    model_: Any
    runs_: list[dict[str, Any]]
    best_run_: int
    agreement_: float
    objective_: float
    n_iter_: int
    options_: dict[str, str]
    history_: np.ndarray

    def _train(self, X: Any) -> dict[str, Any]:
        """Learn, and set what both tasks have. Gives what the library found."""
        rows = rows_of(X, self.image)  # type: ignore[attr-defined]
        shape = (rows.rows, rows.dim)
        check_size(shape, 2)
        model, found = self._learn(rows, shape)
        self._learn_columns(X, rows.dim)
        self._keep(model, found)
        return found

    def _learn(self, rows: Any, shape: tuple[int, int]) -> tuple[Any, dict[str, Any]]:
        """The model and what was found, by the library."""
        params = self.get_params()
        bar = Bar() if params["verbose"] else None
        try:
            return _imsat.fit(
                self._task == "hash", rows, texts_of(self._task, params),
                vector(params.get("prior"), np.float64), vector(params["radius"], np.float32),
                callback_of(params["progress"], bar), _augmenter(params["augment"]))
        except _imsat.InvalidError as error:
            raise type(error)(f"{error} (X has n_samples={shape[0]}, n_features={shape[1]})"
                              ) from None
        finally:
            if bar is not None:
                bar.close()

    def _keep(self, model: Any, found: dict[str, Any]) -> None:
        self.model_ = model
        self.runs_ = found["runs"]
        self.best_run_ = found["best"]
        self.agreement_ = found["agreement"]
        self.objective_ = found["runs"][found["best"]]["objective"]
        self.n_iter_ = max(1, found["runs"][found["best"]]["epochs"])
        self.options_ = found["used"]
        self.history_ = history_of(model)

    def _model(self) -> Any:
        if not hasattr(self, "model_"):
            raise not_fitted(self)
        return self.model_

    def _rows(self, X: Any) -> Any:
        """Rows that the model can be asked about."""
        self._model()
        self._check_names(X)
        rows = rows_of(X, self.image)  # type: ignore[attr-defined]
        self._check_dim(rows.dim)
        return rows

    def _threads(self) -> int:
        threads = self.threads  # type: ignore[attr-defined]
        return 0 if threads in (None, "auto") else int(threads)

    def _predict(self, X: Any, labels: np.dtype | type | None = None, codes: bool = False,
                 proba: bool = False) -> np.ndarray:
        """One of the three results of all rows."""
        rows = self._rows(X)
        model = self._model()
        outputs = model.clusters or model.bits
        out: list[np.ndarray | None] = [None, None, None]
        if labels is not None:
            out[0] = np.empty(rows.rows, labels)
        if codes:
            out[1] = np.empty((rows.rows, (outputs + 7) // 8), np.uint8)
        if proba:
            out[2] = np.empty((rows.rows, outputs), np.float32)
        model.predict(rows, *out, self._threads())
        return next(array for array in out if array is not None)

    def save(self, path: Path) -> None:
        """Write the model to a file, which the program `imsat` and imsat.load() read."""
        self._model().save(os.fsencode(path))
