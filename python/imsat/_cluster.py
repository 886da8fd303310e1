# SPDX-License-Identifier: MIT
"""Clusters."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._base import Estimator
from ._one_cluster import OneCluster, one_cluster_found
from ._options import describe
from ._params import constructor


class IMSAT(Estimator):
    """Clusters of rows by information maximizing self-augmented training, and other methods.

    A network is trained so that each row gets one cluster with certainty, all clusters are used,
    and a row keeps its cluster when it is moved a little. The same data, parameters and
    `random_state` give the same clusters, with any number of threads; None is the library's own
    seed, and no chance either.

    None is the library's default, by the method, the preset and the data. A parameter that the
    method does not use is refused if it is set.

    {parameters}

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n_samples,)
        The cluster of each row.
    labels_of_runs_ : ndarray of int32, shape (n_runs, n_samples)
        Those that each run found; the run `best_run_` was kept.
    agreement_ : float
        How far the runs agree: their mean adjusted Rand index, 1 for the same clusters.
    objective_ : float
        What was minimized, over all data, of the run that was kept.
    runs_ : list of dict
        Seed, objective, its terms, mu and epochs of each run.
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
    >>> from imsat import IMSAT
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (60, 3)), rng.normal(9, 1, (60, 3))])
    >>> model = IMSAT(n_clusters=2, hidden=(20,), epochs=50, random_state=0).fit(X)
    >>> model.predict([[0, 0, 0], [9, 9, 9]]).shape
    (2,)
    >>> bool(model.labels_[0] != model.labels_[-1])
    True
    >>> round(float(model.predict_proba(X).sum()))
    120
    """

    _task = "cluster"
    _estimator_type = "clusterer"

    labels_: np.ndarray
    labels_of_runs_: np.ndarray

    __init__ = constructor("cluster")

    def fit(self, X: Any, y: Any = None) -> IMSAT:
        """Learn clusters of the rows of X; y is not looked at.

        X is an array of numbers, which is not copied, a data frame, a matrix of scipy.sparse or
        an imsat.Data. Ctrl-C ends it, after saving a checkpoint if there is to be one.
        """
        found = self._train(X)
        labels = np.frombuffer(found["results"], np.int32).reshape(len(found["runs"]), -1)
        self.labels_of_runs_ = labels
        self.labels_ = labels[found["best"]]
        return self

    def _learn(self, rows: Any, shape: tuple[int, int]) -> tuple[Any, dict[str, Any]]:
        if self.n_clusters == 1:  # type: ignore[attr-defined]
            return OneCluster(rows.dim), one_cluster_found(rows.rows)
        return super()._learn(rows, shape)

    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """Learn, and give the cluster of each row."""
        return self.fit(X).labels_

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row; a row's does not depend on the other rows."""
        return self._predict(X, labels=np.int32)

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each cluster, (n_samples, n_clusters)."""
        return self._predict(X, proba=True)

    def transform(self, X: Any) -> Any:
        """The probabilities of the clusters, as predict_proba()."""
        return self._wrapped(X, self.predict_proba(X))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn, and give the probabilities of the clusters."""
        return self.fit(X).transform(X)

    def score(self, X: Any, y: Any = None) -> float:
        """The information in nats that clusters have of rows, which learning maximizes.

        It is H(Y) - H(Y|X) of the probabilities: log(n_clusters) if every row is certain and the
        clusters are equally large, 0 if the model tells nothing. y is not looked at.
        """
        proba = self.predict_proba(X).astype(np.float64)
        mean = proba.mean(axis=0)
        return float(_entropy(mean) - _entropy(proba) / len(proba))

    def confidence(self, X: Any) -> np.ndarray:
        """How far the label of each row is to be trusted, 0 to 1.

        It is the share of the training rows near it, and of the runs, that have the same label.
        Low where a small step or another seed leads to another one, however sure the model is;
        1 / n_clusters for an outlier.
        """
        return self._judge(X)[0]

    def distance(self, X: Any) -> np.ndarray:
        """How far rows are from those that were learned from, in units of their radius.

        About 1 for a row like them; above outlier_distance_ it is unlike all of them.
        """
        return self._judge(X)[1]

    def is_outlier(self, X: Any) -> np.ndarray:
        """Whether each row is unlike all that were learned from, as one in a hundred of them is."""
        return self.distance(X) > self.outlier_distance_

    @property
    def outlier_distance_(self) -> float:
        """The distance above which a row is an outlier."""
        return self._model().outlier_distance

    def _judge(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        rows = self._rows(X)
        labels, proba = self.predict(X), self.predict_proba(X)
        confidence, distance = (np.empty(rows.rows, np.float32) for _ in range(2))
        self._model().confidence(rows, labels, proba, confidence, distance, self._threads())
        return confidence, distance

    @property
    def _columns_out(self) -> int:
        return self._model().clusters


def _entropy(p: np.ndarray) -> float:
    return float(-np.sum(p * np.log(p, out=np.zeros_like(p), where=p > 0)))


IMSAT.__doc__ = (IMSAT.__doc__ or "").replace(
    "{parameters}", describe("cluster").replace("\n", "\n    "))
