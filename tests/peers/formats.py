#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files that numpy, scipy and h5py write now are read to the same numbers, and so are those in
tests/data, which they wrote once."""
import os
import sys

import numpy as np

from library import read

KEPT = os.path.join(os.environ["IMSAT_SOURCE"], "tests", "data")
sys.path.insert(0, KEPT)
import make  # noqa: E402  (it is in the folder of the files)

expected = make.write(".")
for name, (rows, labels) in expected.items():
    for folder in (".", KEPT):
        got, got_labels = read(os.path.join(folder, name))
        assert np.array_equal(got, np.asarray(rows, np.float32)), f"{folder}/{name}: rows differ"
        assert (got_labels is None) == (labels is None), f"{folder}/{name}: labels"
        assert labels is None or np.array_equal(got_labels, labels), f"{folder}/{name}: labels"
print(f"{len(expected)} files of other tools are read as they were written")
