#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A training step, or prediction, by PyTorch (torch_imsat.py): prints its time (peer.py).

    torch_peer.py step DIM HIDDEN CLUSTERS WARM STEPS      (HIDDEN 0: linear)
    torch_peer.py hash DIM HIDDEN BITS WARM STEPS
    torch_peer.py predict DIM HIDDEN OUTPUTS

The time of a step is the mean over STEPS of them, after WARM that are not timed; that of a
prediction is the best of five. step-lean and hash-lean share the clean pass. predict-lean has the
normalization of each layer folded into its weights, as we do.
"""
import sys
import time

import peer

try:
    import torch
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-torch"))
from torch_imsat import Imsat, folded

peer.refuse_reference()
task, dim, hidden, outputs = sys.argv[1], *map(int, sys.argv[2:5])
task, _, lean = task.partition("-")
ROWS, BATCH, RADIUS, XI = 5000, 250, 8, 10
torch.set_num_threads(peer.THREADS)
torch.manual_seed(1)
net = Imsat([dim] + ([hidden, hidden] if hidden else []) + [outputs], task == "hash", lean)


def seconds(run, repeats=1):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return time.perf_counter() - start


def report(time_of_one):
    peer.report(time_of_one, f"PyTorch {torch.__version__}")


if task != "predict":
    data = torch.randn(ROWS, dim)

    def step():
        net.step(data[torch.randperm(ROWS)[:BATCH]], RADIUS, XI)

    warm, steps = map(int, sys.argv[5:7])
    if peer.SHORT:
        seconds(step, 2)
        warm, steps = 1, max(5, int(0.5 / seconds(step)))
    seconds(step, warm)
    report(seconds(step, steps) / steps)
else:
    rows = torch.randn(20000, dim)
    layers = net.fold()

    def label():
        with torch.inference_mode():
            return torch.cat([(folded(layers, x) if lean else net.logits(x, evaluate=True)).argmax(1)
                              for x in torch.split(rows, 2500)])

    report(min(seconds(label) for _ in range(2 if peer.SHORT else 5)))
