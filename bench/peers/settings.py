# SPDX-License-Identifier: MIT
"""The settings that a peer is tried with: what its BLAS is, which kernels of it run, how threads
wait and how many there are, how memory is kept, and which vectors PyTorch's own loops use.
Nothing of the system is changed: a setting is some variables of the environment of one process.
"""
import ctypes
import glob
import os

# Debian has each BLAS in a folder of its own; this one is the reference, of plain loops.
REFERENCE = "blas"

# Kernels of OpenBLAS, and the flags of the processors that run them. Its own choice is not
# always its best: on a processor that is newer than it, it may fall back to old ones.
CORES = {
    "HASWELL": "avx2 fma",
    "ZEN": "avx2 fma sse4a",  # sse4a: by AMD
    "SKYLAKEX": "avx512f avx512bw avx512cd avx512dq avx512vl",
    "COOPERLAKE": "avx512f avx512bw avx512cd avx512dq avx512vl avx512_bf16",
    "SAPPHIRERAPIDS": "avx512f avx512bw avx512cd avx512dq avx512vl avx512_bf16",
}

# The same for BLIS, which takes the number of a name.
ARCHITECTURES = {"haswell": "avx2 fma", "zen3": "avx2 fma sse4a", "skx": "avx512f avx512bw avx512cd avx512dq avx512vl"}

# glibc gives large blocks back to the system when they are freed and maps them anew, which costs
# PyTorch a fifth of its time in page faults.
_KEPT = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"
MEMORY = {
    "": {},
    "memory kept": {"GLIBC_TUNABLES": _KEPT},
    "memory kept, huge pages": {"GLIBC_TUNABLES": _KEPT + ":glibc.malloc.hugetlb=1"},
}
WAITS = ("", "active", "passive")
BINDINGS = ("", "close")  # a thread keeps its core
VECTORS = ("", "avx512")

VARIABLES = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
             "BLIS_NUM_THREADS", "MKL_NUM_THREADS", "MKL_THREADING_LAYER", "OMP_WAIT_POLICY", "OMP_PROC_BIND",
             "GLIBC_TUNABLES", "ATEN_CPU_CAPABILITY")


def cpu_flags():
    """The features of this machine's processor."""
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith(("flags", "Features")):
                return set(line.split(":")[1].split())
    return set()


def libraries(pattern="/usr/lib/*/*/libblas.so.3"):
    """The folders of all BLAS that are installed, but the reference; those with OpenMP, whose
    threads the peers share, first."""
    folders = [os.path.dirname(path) for path in glob.glob(pattern)]
    useful = [folder for folder in folders if os.path.basename(folder) != REFERENCE]
    return sorted(useful, key=lambda folder: ("openmp" not in folder, folder))


def core_types(flags):
    """OpenBLAS's own choice, and the kernels that a processor with these flags can run."""
    return [""] + [core for core, needs in CORES.items() if flags.issuperset(needs.split())]


def architectures(folder, flags):
    """The same for the BLIS in a folder: as (name, number)."""
    library = ctypes.CDLL(glob.glob(folder + "/libblis.so.*")[0])
    library.bli_arch_string.restype = ctypes.c_char_p
    found = [("", "")]
    for number in range(32):
        name = library.bli_arch_string(number).decode()
        if name in ARCHITECTURES and flags.issuperset(ARCHITECTURES[name].split()):
            found.append((name, str(number)))
        if name == "generic":  # the last
            break
    return found


def kernels(folder, flags):
    """Variables that choose the kernels of the BLAS in a folder. What a peer brings along, as those
    of pip do, is in none; it is OpenBLAS mostly."""
    if "openblas" in folder or not folder:
        return [{"OPENBLAS_CORETYPE": core} if core else {} for core in core_types(flags)]
    if "blis" in folder:
        return [{"BLIS_ARCH_TYPE": number} if number else {} for _, number in architectures(folder, flags)]
    return [{}]


def threads(own, blas):
    """Threads of the peer and of its BLAS."""
    return {"OMP_NUM_THREADS": str(own), "OPENBLAS_NUM_THREADS": str(blas), "BLIS_NUM_THREADS": str(blas),
            "MKL_NUM_THREADS": str(blas), "MKL_THREADING_LAYER": "GNU"}


def family(folder):
    """openblas of openblas-pthread: builds of one BLAS, with the same kernels."""
    return os.path.basename(folder).partition("-")[0]


def first(most, flags):
    """Where the search begins: every BLAS, in one of its builds, with each of its kernels; if none
    is found, what the peer runs with by itself, which may refuse."""
    seen = set()
    for folder in libraries() or [""]:
        if family(folder) in seen:
            continue
        seen.add(family(folder))
        for chosen in kernels(folder, flags):
            yield {"LD_LIBRARY_PATH": folder, **threads(most, most), **chosen}


def counts(most):
    """1, 2, 4 and so on, up to the most."""
    return sorted({1, most} | {2**i for i in range(1, most.bit_length()) if 2**i < most})


def _changed(setting, variable, values):
    for value in values:
        other = {name: old for name, old in setting.items() if name != variable}
        yield {**other, variable: value} if value else other


def stages(most):
    """What is tried then, one after the other, each from the best so far. Where peer and BLAS
    have threads of their own, these get in each other's way: so one side may have them all."""
    yield lambda best: ({**best, "LD_LIBRARY_PATH": folder} for folder in libraries()
                        if family(folder) == family(best["LD_LIBRARY_PATH"]))
    yield lambda best: ({**best, **variables} for variables in MEMORY.values())
    yield lambda best: _changed(best, "OMP_WAIT_POLICY", WAITS)
    yield lambda best: _changed(best, "OMP_PROC_BIND", BINDINGS)
    yield lambda best: ({**best, **threads(own, blas)} for own, blas in
                        [(n, n) for n in counts(most)] + [(1, most), (most, 1)])
    yield lambda best: _changed(best, "ATEN_CPU_CAPABILITY", VECTORS)
