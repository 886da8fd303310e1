# SPDX-License-Identifier: MIT
"""Binary codes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._base import Estimator
from ._options import describe
from ._params import constructor


class Hasher(Estimator):
    """Binary codes of rows: rows that are alike have codes that differ in few bits.

    Codes are packed, eight bits a byte and the first bit the most significant one, as
    numpy.packbits() does it; imsat.HammingIndex searches them.

    None is the library's default, by the method, the preset and the data. A parameter that the
    method does not use is refused if it is set.

    {parameters}

    Attributes
    ----------
    codes_ : ndarray of uint8, shape (n_samples, ceil(n_bits / 8))
        The code of each row.
    agreement_ : float
        How far the runs agree: the correlation of their Hamming distances.
    objective_ : float
        What was minimized, over all data, of the run that was kept.
    runs_ : list of dict
        Seed, objective, its terms, mu and epochs of each run; `best_run_` was kept.
    n_iter_ : int
        Epochs of the run that was kept, or its iterations, at least 1.
    options_ : dict
        The library's options with all that was left open decided.
    history_ : ndarray
        The course of the training, an entry an epoch: run, epoch, objective and its terms, as
        history_["objective"]. Of more than 128 epochs of a run, every second, fourth, ...; of
        more than 20 runs, the first ones, the best and the last.
    n_features_in_ : int
        How many columns X had.
    feature_names_in_ : ndarray of str
        Their names, if X was a data frame.

    Examples
    --------
    >>> import numpy as np
    >>> from imsat import HammingIndex, Hasher
    >>> X = np.random.default_rng(0).normal(size=(200, 5)).astype(np.float32)
    >>> codes = Hasher(n_bits=16, method="lsh").fit_transform(X)
    >>> codes.shape, codes.dtype
    ((200, 2), dtype('uint8'))
    >>> distances, ids = HammingIndex(codes).search(codes[:3], 1)
    >>> distances.ravel()
    array([0, 0, 0], dtype=int32)
    """

    _task = "hash"
    _estimator_type = "transformer"

    codes_: np.ndarray

    __init__ = constructor("hash")

    def fit(self, X: Any, y: Any = None) -> Hasher:
        """Learn codes of the rows of X, as of imsat.IMSAT.fit(); y is not looked at."""
        found = self._train(X)
        runs, rows = len(found["runs"]), -1
        codes = np.frombuffer(found["results"], np.uint8).reshape(runs, rows, self._columns_out)
        self.codes_ = codes[found["best"]].copy() if runs > 1 else codes[0]
        return self

    def transform(self, X: Any) -> Any:
        """The packed code of each row; a row's does not depend on the other rows."""
        return self._wrapped(X, self._predict(X, codes=True))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn, and give the packed code of each row."""
        return self._wrapped(X, self.fit(X).codes_.copy())

    def bit_proba(self, X: Any) -> np.ndarray:
        """The probability that a bit is 1, (n_samples, n_bits); the bit is, above 0.5."""
        return self._predict(X, proba=True)

    @property
    def _columns_out(self) -> int:
        return (self._model().bits + 7) // 8


Hasher.__doc__ = (Hasher.__doc__ or "").replace(
    "{parameters}", describe("hash").replace("\n", "\n    "))
