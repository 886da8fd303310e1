# SPDX-License-Identifier: MIT
"""One cluster: nothing is learned, and every row is in it.

The library refuses it, since there is nothing that it could do. A search over numbers of clusters
may well begin with it.
"""
from __future__ import annotations

from typing import Any

import numpy as np


class OneCluster:
    """What a model is asked, of one cluster."""

    clusters = 1
    bits = 0

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def predict(self, rows: Any, labels: np.ndarray | None, codes: None,
                proba: np.ndarray | None, threads: int) -> None:
        """Every row is in it, with certainty."""
        if labels is not None:
            labels.fill(0)
        if proba is not None:
            proba.fill(1)

    outlier_distance = float("inf")

    def confidence(self, rows: Any, labels: np.ndarray, proba: np.ndarray,
                   confidence: np.ndarray, distance: np.ndarray, threads: int) -> None:
        """Nothing is known of the rows."""
        raise ValueError("a model of one cluster knows nothing of its rows")

    def history(self) -> dict[str, bytes]:
        """There was no training."""
        return {"run": b"", "epoch": b"", "objective": b""}

    def save(self, path: bytes) -> None:
        """There is nothing to write."""
        raise ValueError("a model of one cluster has no file; there is nothing in it")


def one_cluster_found(rows: int) -> dict[str, Any]:
    """What the library would have found."""
    run = {"seed": 0, "objective": 0.0, "mu": 0.0, "epochs": 0, "terms": {}}
    return {"runs": [run], "best": 0, "agreement": 1.0, "used": {"k": "1"},
            "results": bytes(4 * rows)}
