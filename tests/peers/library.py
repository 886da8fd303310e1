# SPDX-License-Identifier: MIT
"""Data by the library itself, as numpy has it."""
import ctypes
import os

import numpy as np

_imsat = ctypes.CDLL(os.path.join(os.path.dirname(os.environ["IMSAT"]), "libimsat.so"))


class _Error(ctypes.Structure):
    _fields_ = [("message", ctypes.c_char * 1024)]


for _name in ("rows", "dim"):
    getattr(_imsat, "imsat_data_" + _name).restype = ctypes.c_size_t
    getattr(_imsat, "imsat_data_" + _name).argtypes = [ctypes.c_void_p]
_imsat.imsat_data_labels.restype = ctypes.POINTER(ctypes.c_int32)
_imsat.imsat_data_labels.argtypes = [ctypes.c_void_p]
_imsat.imsat_data_free.argtypes = [ctypes.c_void_p]
_imsat.imsat_data_read.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                   ctypes.c_void_p, ctypes.c_void_p]


def read(path):
    """The rows of a file, as float32, and its labels or None."""
    error, data = _Error(), ctypes.c_void_p()
    paths = (ctypes.c_char_p * 1)(path.encode())
    if _imsat.imsat_data_open(ctypes.byref(data), paths, ctypes.c_size_t(1), None,
                              ctypes.byref(error)):
        raise SystemExit(error.message.decode())
    rows = np.empty((_imsat.imsat_data_rows(data), _imsat.imsat_data_dim(data)), np.float32)
    if _imsat.imsat_data_read(data, 0, len(rows), rows.ctypes.data, ctypes.byref(error)):
        raise SystemExit(error.message.decode())
    found = _imsat.imsat_data_labels(data)
    labels = np.array(found[:len(rows)]) if found else None
    _imsat.imsat_data_free(data)
    return rows, labels
