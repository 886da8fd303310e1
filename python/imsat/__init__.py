# SPDX-License-Identifier: MIT
"""imsat: learn discrete representations of data without labels.

IMSAT finds clusters, Hasher learns binary codes, HammingIndex searches them; all by the C library
of the same name, whose program reads and writes the same files. Estimators follow scikit-learn's
conventions, and need NumPy alone.
"""
from . import metrics
from ._choice import (Compared, Comparison, KChoice, KRow, Measures, choose_k, compare,
                      has_structure)
from ._cluster import IMSAT
from ._data import Data
from ._functions import features, guard_maps, load, methods, neighbor_radius, options
from ._hasher import Hasher
from ._imsat import (BusyError, Error, FileError, FormatError, InvalidError, MismatchError,
                     OutOfMemoryError, StoppedError)
from ._imsat import version as _version
from ._index import HammingIndex, Hits, Within, update_index
from ._params import NotFittedError
from ._progress import Progress
from ._report import report

__version__ = _version()

__all__ = [
    "IMSAT", "Hasher", "HammingIndex", "Hits", "Within", "Data", "Progress", "metrics", "load",
    "methods", "options", "features", "guard_maps", "neighbor_radius", "report", "update_index",
    "compare", "choose_k", "has_structure", "Compared", "Comparison", "KChoice", "KRow", "Measures",
    "Error", "BusyError", "FileError", "FormatError", "InvalidError", "MismatchError",
    "NotFittedError", "OutOfMemoryError", "StoppedError",
]
