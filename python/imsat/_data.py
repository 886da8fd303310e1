# SPDX-License-Identifier: MIT
"""From what users have (arrays, data frames, sparse matrices, files) to rows of the library.

What the library can read where it is, any array of numbers that does not run backwards, is not
copied. The sentences of what is refused are those that scikit-learn's users know.
"""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _imsat

Image = tuple[int, int, int]
NO_IMAGE: Image = (0, 0, 0)


class Data:
    """Rows of files that the program reads, too: tables, .npy, HDF5, pictures and more.

    What can be mapped is, so rows need not fit in memory. Estimators take it in place of an array.

    Parameters
    ----------
    *paths : str or path
        Files, whose rows are joined. FILE:NAME is what is called NAME inside of a file.
    label_column : str or int
        The column of a table that holds labels, or the name of that array in the file.
    image : tuple of int
        Height, width and channels of rows that are images.
    text_column : str
        The column of a table, or the name in lines of JSON, that holds texts. Texts become rows of
        tf-idf, as for the program.
    model : IMSAT or Hasher
        That is fitted: rows are made as its own were, texts by its words, tables by its columns.

    Examples
    --------
    >>> import tempfile, os, imsat
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "few.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("1,2,7\\n3,4,7\\n5,6,8\\n")
    ...     data = imsat.Data(path, label_column=2)
    ...     print(data.shape, data.to_numpy()[2], data.labels)
    (3, 2) [5. 6.] [7 7 8]
    """

    def __init__(self, *paths: str | os.PathLike[str], label_column: str | int | None = None,
                 image: tuple[int, ...] | None = None, text_column: str | None = None,
                 model: Any = None) -> None:
        column = None if label_column is None else str(label_column)
        self._paths = tuple(os.fsencode(path) for path in paths)
        self._text_column = text_column
        self._rows = _imsat.data_open(self._paths, column, image_of(image), text_column,
                                      None if model is None else model._model())

    @property
    def paths(self) -> tuple[bytes, ...]:
        """The files that the rows are of."""
        return self._paths

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return self._rows.rows, self._rows.dim

    @property
    def labels(self) -> np.ndarray | None:
        """The labels in the files, or None."""
        labels = self._rows.labels
        return None if labels is None else np.frombuffer(labels, np.int32)

    @property
    def text_column(self) -> str | None:
        """What held the texts, as it was given."""
        return self._text_column

    @property
    def label_names(self) -> list[str] | None:
        """What the labels 0, 1, ... are called in the files; None if they are numbers there."""
        words = self._rows.label_words
        return None if words is None else [word.decode("utf-8", "replace") for word in words]

    @property
    def column_names(self) -> list[str | None]:
        """The names of the columns, of a table with a header; None where there is none."""
        return [self._rows.column_name(j) for j in range(self._rows.dim)]

    def to_numpy(self) -> np.ndarray:
        """All rows as float32."""
        out = np.empty(self.shape, np.float32)
        self._rows.read(0, len(out), out)
        return out

    def __len__(self) -> int:
        return self._rows.rows

    def __repr__(self) -> str:
        return f"Data({self._rows.description!r})"


def image_of(shape: tuple[int, ...] | None) -> Image:
    """Height, width and channels, of a shape that may be without the last."""
    if shape is None:
        return NO_IMAGE
    if len(shape) not in (2, 3) or any(int(size) < 1 for size in shape):
        raise ValueError(f"image: {shape!r} is not (height, width) or (height, width, channels)")
    height, width, channels = (*shape, 1)[:3]
    return int(height), int(width), int(channels)


def feature_names(X: Any) -> np.ndarray | None:
    """The columns of a data frame if all are called by strings; else None."""
    columns = getattr(X, "columns", None)
    if columns is None or isinstance(X, Data):
        return None
    named = [isinstance(column, str) for column in columns]
    if any(named) and not all(named):
        kinds = sorted({type(column).__name__ for column in columns})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using "
            "X.columns = X.columns.astype(str) for example.")
    return np.asarray(columns, dtype=object) if named and all(named) else None


def _numbers_of(X: Any) -> np.ndarray:
    """An array of a type that the library reads; a copy only if X has none."""
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8:
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind in "OUSfV":
        return array.astype(np.float64)
    raise TypeError(f"X has elements of type {array.dtype}, which are no numbers")


def _check_shape(array: np.ndarray) -> None:
    if array.ndim < 2:
        kind = "1D array" if array.ndim else "scalar array"
        raise ValueError(
            f"Expected 2D array, got {kind} instead:\narray={array}.\nReshape your data either "
            "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) "
            "if it contains a single sample.")
    if array.ndim > 4:
        raise ValueError(f"Found array with dim {array.ndim}. Rows have one dimension, or two or "
                         "three if they are images.")


def check_size(shape: tuple[int, ...], least_rows: int = 1) -> None:
    """Refuse too few rows, and rows of nothing."""
    if shape[0] < least_rows:
        raise ValueError(f"Found array with {shape[0]} sample(s) (shape={tuple(shape)}) while a "
                         f"minimum of {least_rows} is required.")
    if shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum "
                         "of 1 is required.")


def _from_sparse(X: Any) -> Any:
    csr = X.tocsr()
    if csr.dtype.kind == "c":
        raise ValueError("Complex data not supported\n")
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    check_size(csr.shape)
    if csr.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"sparse rows of {csr.shape[1]} columns; there may be 2147483647")
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
        values = np.ascontiguousarray(csr.data, np.float32)
    return _checked(_imsat.data_csr, np.ascontiguousarray(csr.indptr, np.int64),
                    np.ascontiguousarray(csr.indices, np.int32), values, csr.shape[1])


def rows_of(X: Any, image: tuple[int, ...] | None = None) -> Any:
    """Rows for the library, which hold on to the memory that they are in."""
    if isinstance(X, Data):
        return X._rows
    if hasattr(X, "tocsr"):
        return _from_sparse(X)
    array = _numbers_of(X)
    _check_shape(array)
    if array.ndim > 2:
        image = image or array.shape[1:]
        array = array.reshape(len(array), -1)
    check_size(array.shape)
    if min(array.strides) < 0:
        array = np.ascontiguousarray(array)
    return _checked(_imsat.data_array, array, image_of(image))


def _checked(make: Any, *arguments: Any) -> Any:
    """Rows, or the library's refusal of a value, in which users look for these words."""
    try:
        return make(*arguments)
    except _imsat.FormatError as error:
        where = str(error).partition(": ")[2]
        raise _imsat.FormatError(f"Input X contains NaN, infinity or a value too large for "
                                 f"float32: {where}") from None
