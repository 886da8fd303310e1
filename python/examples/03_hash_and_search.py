# SPDX-License-Identifier: MIT
"""Codes of embeddings, an index file, and search.

    python3 03_hash_and_search.py [digits.csv.gz]

Any vectors will do in place of the digits: those of a language model, say.
"""
import os
import sys
import tempfile

import imsat

source = os.environ.get("IMSAT_SOURCE", ".")
path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(source, "data", "digits.csv.gz")
data = imsat.Data(path, label_column=-1)
X, labels = data.to_numpy(), data.labels

drawn = imsat.metrics.split(labels, per_class=10)
hasher = imsat.Hasher(n_bits=32, hidden=(100, 100), epochs=40, random_state=0)
gallery = hasher.fit_transform(X[~drawn])
queries = hasher.transform(X[drawn])
print(f"{X[0].nbytes} bytes a row became {gallery.shape[1]}")

score = imsat.metrics.search(gallery, labels[~drawn], queries, labels[drawn], at=10)
print(f"mean average precision {score.map:.2f}; of the 10 nearest, {score.precision_at:.2f} are of "
      "the same class")

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "digits.index")
    imsat.HammingIndex(gallery).save(file)
    index = imsat.HammingIndex.load(file)  # mapped; `imsat search` reads the same file
    print(index)
    distances, ids = index.search(queries[:1], k=5)
    print(f"a {labels[drawn][0]}: nearest are {labels[~drawn][ids[0]]}, {distances[0]} bits away")
    lims, distances, ids = index.within(queries, 2)
    print(f"{len(ids)} codes are within 2 bits of a query")
