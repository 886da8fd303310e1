# SPDX-License-Identifier: MIT
"""Exact search over binary codes."""
from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from . import _imsat
from ._base import Path, bytes_of, from_bytes

ANY_DISTANCE = -1
COMPARED_AT_ONCE = 1 << 35  # codes that queries are compared with between two looks for Ctrl-C


class Hits(NamedTuple):
    """The nearest codes of each query, (n_queries, k), nearest first, equal distances by id.

    Where there are fewer than k, the rest of a row is -1.
    """

    distances: np.ndarray  # int32
    ids: np.ndarray  # int64


class Within(NamedTuple):
    """All codes within a distance: those of query q are lims[q] : lims[q + 1]."""

    lims: np.ndarray  # (n_queries + 1)
    distances: np.ndarray  # int32
    ids: np.ndarray  # int64


def packed(codes: Any) -> np.ndarray:
    """Codes (n, bytes) of uint8; truth values (n, bits) are packed."""
    array = np.asarray(codes)
    if array.ndim != 2:
        raise ValueError(f"codes have two dimensions, and these have {array.ndim}")
    if array.dtype == bool:
        return np.packbits(array, axis=1)
    if array.dtype != np.uint8:
        raise TypeError(f"codes are uint8 (packed) or bool (a bit each), not {array.dtype}")
    return np.ascontiguousarray(array)


def _ids(ids: Any) -> np.ndarray | None:
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.dtype.kind not in "iu":
        raise TypeError(f"ids are integers, not {array.dtype}")
    return np.ascontiguousarray(array, np.int64)


def _bits(codes: Any, n_bits: int | None) -> int:
    if n_bits is not None:
        return int(n_bits)
    array = np.asarray(codes)
    return array.shape[1] if array.dtype == bool else 8 * array.shape[1]


class HammingIndex:
    """Codes that can be searched, exactly, by the number of bits in which they differ.

    Parameters
    ----------
    codes : array of uint8, shape (n, bytes), or of bool, shape (n, n_bits)
        Packed as numpy.packbits() does it, or a truth value a bit.
    ids : array of int, shape (n,)
        Distinct, and not -1; None: 0, 1, 2, ...
    n_bits : int
        Bits of a code; None: all of its bytes.

    Examples
    --------
    >>> import numpy as np
    >>> from imsat import HammingIndex
    >>> codes = np.array([[0b00000000], [0b00000011], [0b11111111]], np.uint8)
    >>> index = HammingIndex(codes)
    >>> index.search(codes[:1], 2)
    Hits(distances=array([[0, 2]], dtype=int32), ids=array([[0, 1]]))
    >>> index.append(np.array([[0b00000001]], np.uint8))
    >>> index.within(codes[:1], 1).ids
    array([0, 3])
    """

    def __init__(self, codes: Any, ids: Any = None, n_bits: int | None = None) -> None:
        array = packed(codes)
        self._index = _imsat.index_new(array, _bits(codes, n_bits), _ids(ids))

    @classmethod
    def _of(cls, index: Any) -> HammingIndex:
        self = cls.__new__(cls)
        self._index = index
        return self

    @classmethod
    def load(cls, path: Path) -> HammingIndex:
        """The index of a file, which is mapped, and checked whole; the program's are the same."""
        return cls._of(_imsat.index_open(os.fsencode(path)))

    def save(self, path: Path) -> None:
        """Write the index to a file."""
        self._index.save(os.fsencode(path))

    def append(self, codes: Any, ids: Any = None) -> None:
        """More codes. ids None: they go on from the largest."""
        self._index = self._index.append(packed(codes), _ids(ids))

    def remove(self, ids: Any) -> None:
        """Leave out the codes of these ids."""
        self._index = self._index.without(_ids(ids))

    @property
    def n_bits(self) -> int:
        """How many bits a code has."""
        return self._index.bits

    def __len__(self) -> int:
        return self._index.rows

    def __repr__(self) -> str:
        return f"HammingIndex({len(self)} codes of {self.n_bits} bits)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_content, (bytes_of(self._index.save),)

    def _search(self, queries: Any, count: int, radius: int, method: str,
                threads: int) -> Within:
        """Some queries at a time, so that Ctrl-C is noticed in between."""
        index, array = self._index, packed(queries)
        step = max(64, COMPARED_AT_ONCE // max(1, index.rows) // 64 * 64)
        parts = [index.search(array[i:i + step], count, radius, method, threads)
                 for i in range(0, max(1, len(array)), step)]
        if len(parts) == 1:
            return Within(*(np.frombuffer(part, dtype) for part, dtype in
                            zip(parts[0], (np.uintp, np.int32, np.int64))))
        found = [np.diff(np.frombuffer(part[0], np.uintp)) for part in parts]
        lims = np.concatenate([np.zeros(1, np.uintp), np.cumsum(np.concatenate(found))])
        return Within(lims.astype(np.uintp),
                      np.concatenate([np.frombuffer(part[1], np.int32) for part in parts]),
                      np.concatenate([np.frombuffer(part[2], np.int64) for part in parts]))

    def search(self, queries: Any, k: int = 10, *, radius: int | None = None,
               method: str = "auto", threads: int = 0) -> Hits:
        """The k nearest codes of each query, none further than `radius`.

        method is "auto", "scan" or "mih" (multi-index hashing); all give the same answer.
        """
        if k < 1:
            raise ValueError(f"k is {k}, and must be at least 1")
        limit = ANY_DISTANCE if radius is None else _radius(radius)
        lims, distances, ids = self._search(queries, k, limit, method, threads)
        n = len(lims) - 1
        if len(ids) == n * k:
            return Hits(distances.reshape(n, k), ids.reshape(n, k))
        hits = Hits(np.full((n, k), -1, np.int32), np.full((n, k), -1, np.int64))
        there = np.arange(k) < np.diff(lims.astype(np.int64))[:, None]
        hits.distances[there], hits.ids[there] = distances, ids
        return hits

    def within(self, queries: Any, r: int, *, method: str = "auto", threads: int = 0) -> Within:
        """All codes that differ from a query in at most r bits, nearest first."""
        return self._search(queries, 0, _radius(r), method, threads)


def _radius(radius: int) -> int:
    if radius < 0:
        raise ValueError(f"a radius of {radius} has nothing within it")
    return int(radius)


def _from_content(content: bytes) -> HammingIndex:
    return HammingIndex._of(from_bytes(_imsat.index_open, content))


def update_index(path: Path, codes: Any = None, ids: Any = None, *, delete: Any = None,
                 n_bits: int | None = None) -> int:
    """Change an index file: delete codes by their ids, then append some.

    Appending costs what is appended. Whatever ends the process, the file has all of the change or
    nothing of it; imsat.BusyError, and nothing is done, while somebody else changes it. Gives how
    many codes the file then has.
    """
    bits = 0 if codes is None else _bits(codes, n_bits)
    return _imsat.index_update(os.fsencode(path), None if codes is None else packed(codes), bits,
                               _ids(ids), _ids(delete))
