#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Training on MNIST by PyTorch (torch_imsat.py) until an accuracy is reached after an epoch:
prints the seconds of its steps (peer.py).

    torch_quality_peer.py FOLDER RADIUS ACC SEED PRESET

RADIUS: raw float32, of every image. PRESET: reference, the authors' settings, or default, ours:
columns of mean 0, then all values by one factor; the probe is as long as the radius; every
image once an epoch. The clean pass is shared, as in ours.
"""
import gzip
import sys
import time

import numpy as np
import peer

try:
    import torch
    from scipy.optimize import linear_sum_assignment
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-torch"))
from mnist_rows import read_mnist
from torch_imsat import Imsat, folded

CLUSTERS, BATCH, EPOCHS = 10, 250, 50

peer.refuse_reference()
folder, radius_file, wanted, seed, preset = sys.argv[1:6]
torch.set_num_threads(peer.THREADS)
torch.manual_seed(int(seed))
x = torch.from_numpy(read_mnist(folder))
truth = np.concatenate([np.frombuffer(gzip.open(f"{folder}/{part}-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
                        for part in ("train", "t10k")])
radius = torch.from_numpy(np.fromfile(radius_file, np.float32))[:, None]
if preset == "default":
    x -= x.mean(0)
    x /= x.square().mean().sqrt()
else:
    x = x * (255 / 128) - 1
net = Imsat([x.shape[1], 1200, 1200, CLUSTERS], False, True)
steps = len(x) // BATCH


def batches():
    if preset == "default":
        return torch.randperm(len(x)).split(BATCH)
    return (torch.randint(len(x), (BATCH,)) for _ in range(steps))


def train(most):
    begin = time.perf_counter()
    for at, i in enumerate(batches()):
        if at == most:
            break
        net.step(x[i], radius[i], radius[i] if preset == "default" else 10)
    return time.perf_counter() - begin


def accuracy():
    layers, table = net.fold(), np.zeros((CLUSTERS, 10))
    with torch.inference_mode():
        found = torch.cat([folded(layers, rows).argmax(1) for rows in x.split(5000)]).numpy()
    np.add.at(table, (found, truth), 1)
    return table[linear_sum_assignment(-table)].sum() / len(x)


name, spent, reached = f"PyTorch {torch.__version__}, {preset}", 0.0, 0.0
if peer.SHORT:
    peer.report(train(10), name)
    sys.exit()
for epoch in range(EPOCHS):
    spent += train(steps)
    reached = accuracy()
    print(f"epoch {epoch + 1} {spent:.1f} s {reached:.4f}", file=sys.stderr)
    if reached >= float(wanted):
        break
caveat = "" if reached >= float(wanted) else f"it is at {100 * reached:.1f} % after {EPOCHS} epochs"
peer.report(spent, f"{name}, {epoch + 1} epochs", caveat)
