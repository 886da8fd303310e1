#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""FAISS reads what `imsat export --to faiss` writes, and finds what `imsat search` finds."""
import faiss
import numpy as np

from codes import NEAREST, cases, check

RADIUS = 3

for case in cases():
    case.export("faiss")
    index = faiss.read_index_binary("codes.out")
    what = f"{case.rows} codes of {case.bits} bits"
    check(what, (case.rows, (case.bits + 7) // 8 * 8), (index.ntotal, index.d))
    queries = np.load("queries.npy")

    # FAISS has its own order among equal distances, so ids are compared within a radius.
    distances, ids = index.search(queries, NEAREST)
    ours = case.nearest()
    check(what, [[d for _, d in line] for line in ours], distances.tolist())
    distance_of = dict(zip(case.ids.tolist(), range(case.rows)))
    for q, line in enumerate(ids.tolist()):
        found = [int((case.codes[distance_of[i]] != case.queries[q]).sum()) for i in line]
        check(what, found, distances[q].tolist())

    starts, distances, ids = index.range_search(queries, RADIUS + 1)  # below, not up to
    pairs = {(q, int(ids[i]), int(distances[i]))
             for q in range(len(queries)) for i in range(starts[q], starts[q + 1])}
    check(what, case.within(RADIUS), pairs)
print("faiss: codes, ids and distances agree")
