# SPDX-License-Identifier: MIT
"""Cluster a matrix, and see how far to trust it.

    python3 01_cluster.py [digits.csv.gz]

With the images of digits that come with imsat, whose last column says what they show.
"""
import os
import sys

import imsat
import numpy as np

source = os.environ.get("IMSAT_SOURCE", ".")
path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(source, "data", "digits.csv.gz")
data = imsat.Data(path, label_column=-1)
X = data.to_numpy()

model = imsat.IMSAT(n_clusters=10, n_runs=3, hidden=(100, 100), epochs=40, random_state=0).fit(X)
print(f"{len(X)} rows, sizes of the clusters: {np.bincount(model.labels_)}")
print(f"the runs agree by {model.agreement_:.2f}; 1 is the same clusters every time")
print(f"objectives: {[round(run['objective'], 3) for run in model.runs_]}, kept: the lowest")

# The labels were used for nothing so far.
print("beside the truth:", imsat.metrics.clusters(data.labels, model.labels_))

# Rows whose labels are the least to be trusted, and how far they are from the others.
sure, far = model.confidence(X), model.distance(X)
for row in np.argsort(sure)[:3]:
    print(f"row {row}: {sure[row]:.2f} sure, distance {far[row]:.2f}")
