# SPDX-License-Identifier: MIT
"""What the peers share: how many threads they have, whether a setting is only being tried, and
the one line that they print: a time in seconds, and what it was reached with, as this process
found it; or, where a time would say nothing of the peer, why."""
import ctypes
import glob
import os
import sys

import settings

SHORT = "IMSAT_PEER_SHORT" in os.environ  # a few steps, to choose a setting
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


# A function that tells the BLAS by its name, of those that are not plain loops. The last has it in
# a library beside the one that programs link to.
KNOWN = {"OpenBLAS": "openblas_get_config", "MKL": "MKL_Get_Version", "ATLAS": "ATL_buildinfo",
         "BLIS": "bli_info_get_version_str"}


class _Symbol(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]


def blas_file():
    """The file that has the matrix product of this process; None if the peer was not linked to
    the system's BLAS, but has one of its own."""
    try:
        product = ctypes.CDLL("libblas.so.3", mode=os.RTLD_NOLOAD).sgemm_
    except OSError:
        return None
    symbol = _Symbol()
    ctypes.CDLL(None).dladdr(ctypes.cast(product, ctypes.c_void_p), ctypes.byref(symbol))
    return os.path.realpath(symbol.file.decode())


def _libraries(file):
    """What a BLAS consists of: the file that programs link to, and what else is beside it."""
    beside = glob.glob(os.path.join(os.path.dirname(file), "lib*.so.*"))
    return [ctypes.CDLL(path) for path in [file] + [path for path in beside if "blis" in path]]


def find_blas(file):
    """Name and library of the BLAS in a file; ("", None) if it is the reference, or unknown."""
    for library in _libraries(file):
        for name, function in KNOWN.items():
            if hasattr(library, function):
                return name, library
    return "", None


def _text(function):
    function.restype = ctypes.c_char_p
    return function().decode()


def blas_name(file):
    """Name, version, kind of threads and kernels of the BLAS in a file."""
    name, library = find_blas(file)
    threads = os.path.basename(os.path.dirname(file)).partition("-")[2]
    if name == "OpenBLAS":
        version = _text(library.openblas_get_config).split()[1]
        return f"OpenBLAS {version} {threads} {_text(library.openblas_get_corename)}"
    if name == "BLIS":
        library.bli_init()
        library.bli_arch_string.restype = ctypes.c_char_p
        kernels = library.bli_arch_string(library.bli_arch_query_id()).decode()
        return f"BLIS {_text(library.bli_info_get_version_str)} {threads} {kernels}"
    return name or file


def describe():
    """What this process runs with, beside the peer itself."""
    environment = os.environ
    own, blas = environment.get("OMP_NUM_THREADS"), environment.get("OPENBLAS_NUM_THREADS")
    tunables = environment.get("GLIBC_TUNABLES", "")
    memory = [name for name, variables in settings.MEMORY.items() if variables.get("GLIBC_TUNABLES", "") == tunables]
    file = blas_file()
    parts = [blas_name(file) if file else "a BLAS of its own",
             f"threads {own}" if own == blas else f"threads {own}, of the BLAS {blas}", *memory]
    for word, variable in ("wait", "OMP_WAIT_POLICY"), ("bind", "OMP_PROC_BIND"), ("vectors", "ATEN_CPU_CAPABILITY"):
        if variable in environment:
            parts.append(f"{word} {environment[variable]}")
    return ", ".join(part for part in parts if part)


def report(seconds, name, caveat=""):
    """Print the time of a peer; caveat: why nothing is to be concluded from it."""
    print(f"{seconds!r}\t{name}, {describe()}\t{caveat}")


def refuse_reference():
    """With the reference BLAS a peer is 70 times slower than it can be, and beating that says
    nothing; nor does beating a BLAS that nobody knows. To be called when the peer is loaded."""
    file = blas_file()
    if file and not find_blas(file)[0]:
        print(f"its BLAS is the reference or unknown, {file}; tools/deps --bench installs OpenBLAS")
        sys.exit()
