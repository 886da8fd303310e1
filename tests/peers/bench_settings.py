#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The benchmark gives each peer the best of many settings, says which, and has no time of a peer
with the reference BLAS."""
import contextlib
import glob
import importlib.machinery
import importlib.util
import io
import itertools
import os
import shutil
import subprocess
import sys

SOURCE = os.environ["IMSAT_SOURCE"]
PEERS = os.path.join(SOURCE, "bench", "peers")
sys.path.insert(0, PEERS)
import settings


def check(what, good):
    if not good:
        sys.exit(f"bench: {what}")


def output(words, **variables):
    return subprocess.run(words, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL, check=True).stdout


# The kernels that a processor can run, and no others.
check("kernels of an old processor", settings.core_types({"sse2"}) == [""])
check("kernels with AVX2", settings.core_types({"avx2", "fma"}) == ["", "HASWELL"])
skylake = {"avx2", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
check("kernels with AVX-512", settings.core_types(skylake) == ["", "HASWELL", "SKYLAKEX"])
check("the newest kernels", "SAPPHIRERAPIDS" in settings.core_types(skylake | {"avx512_bf16"}))

# What tools/deps --bench installs is tried, and the reference is not.
tried = {os.path.basename(folder) for folder in settings.libraries()}
check(f"tries {tried}", {"openblas-openmp", "openblas-pthread", "blis-openmp", "blis-pthread"} <= tried)
check("tries the reference", settings.REFERENCE not in tried)
first = list(settings.first(2, settings.cpu_flags()))
check("begins with one kernel of each", len(first) > 2)
for stage in settings.stages(2):
    check("a stage that changes nothing", any(other != first[0] for other in stage(first[0])))

# A better setting is found, also if the machine has become three times slower meanwhile.
loader = importlib.machinery.SourceFileLoader("run", os.path.join(PEERS, "run"))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
calls = itertools.count()


def slower_and_slower(setting, *_):
    slow = 3 if next(calls) > len(first) + 3 else 1
    return f"{slow * (0.9 if 'GLIBC_TUNABLES' in setting else 1.0)}\tnothing\t"


run.start = slower_and_slower
with contextlib.redirect_stderr(io.StringIO()):
    check("finds no better setting", "GLIBC_TUNABLES" in run.choose(2, "nothing", []))

# With the reference there is no time, whatever its folder is called.
reference = glob.glob("/usr/lib/*/blas/libblas.so.3")[0]
os.mkdir("openblas-openmp")
shutil.copy(reference, "openblas-openmp/libblas.so.3")
for folder in os.path.dirname(reference), os.path.abspath("openblas-openmp"):
    said = output([os.path.join(PEERS, "faiss_peer.py"), "100", "8"], LD_LIBRARY_PATH=folder)
    check(f"says of the reference: {said}", said.startswith("its BLAS is the reference") and "tools/deps --bench" in said)

# A time, and what it was reached with; and once more, without choosing.
words = [os.path.join(PEERS, "run"), "--settings", "kept.json", "1", "faiss_peer.py", "2000", "64"]
for _ in range(2):
    seconds, setting, caveat = output(words).rstrip("\n").split("\t")
    check(f"a time of {seconds}", float(seconds) > 0 and not caveat)
    check(f"a setting of {setting}", "FAISS" in setting and "threads 1" in setting
          and ("OpenBLAS" in setting or "BLIS" in setting))
    check("keeps no setting", os.path.exists("kept.json"))

# make bench installs what is compared with, and on a system without any BLAS also OpenBLAS and BLIS.
check("make bench installs no peers", "tools/deps --bench" in output(["make", "-n", "-C", SOURCE, "bench"]))
os.mkdir("bin")
for name, script in (("ls", "exit 1"), ("apt-get", 'echo "$@" >>installed'), ("sudo", 'exec "$@"')):
    with open(f"bin/{name}", "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(f"bin/{name}", 0o755)
output([os.path.join(SOURCE, "tools", "deps"), "--bench"], PATH=os.path.abspath("bin") + ":" + os.environ["PATH"])
with open("installed") as file:
    installed = set(file.read().split())
check(f"tools/deps --bench installs {installed}", {"libopenblas0-openmp", "libopenblas0-pthread", "libblis4-openmp",
                                                   "libblis4-pthread"} <= installed)
print("bench: each peer has its best setting, and none the reference BLAS")
