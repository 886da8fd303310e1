#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A training step, or prediction, by PyTorch: prints the best time in seconds.

    torch_peer.py step DIM HIDDEN OUTPUTS THREADS       (HIDDEN 0: linear)
    torch_peer.py predict DIM HIDDEN OUTPUTS THREADS
"""
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(print("apt-get install python3-torch libopenblas0-openmp"))

task, dim, hidden, outputs, threads = sys.argv[1], *map(int, sys.argv[2:6])
ROWS, BATCH, FLOOR = 5000, 250, 1e-8
LAMBDA, MU, ALPHA, XI = 0.1, 4.0, 0.25, 10.0
torch.set_num_threads(threads)
torch.manual_seed(1)
widths = [dim] + ([hidden, hidden] if hidden else []) + [outputs]
linear = [torch.nn.Linear(i, o) for i, o in zip(widths, widths[1:])]
norm = [torch.nn.BatchNorm1d(o, eps=2e-5) for o in widths[1:-1]]
for layer in linear:
    torch.nn.init.normal_(layer.weight, 0, 0.3 / layer.in_features ** 0.5)


def logits(x, update=False, evaluate=False):
    for layer, bn in zip(linear, norm):
        stats = (bn.running_mean, bn.running_var) if update or evaluate else (None, None)
        x = F.relu(F.batch_norm(layer(x), *stats, bn.weight, bn.bias, not evaluate, 0.1, bn.eps))
    return linear[-1](x)


def kl(p, z):
    return (p * (torch.log(p + FLOOR) - torch.log(F.softmax(z, 1) + FLOOR))).sum() / len(p)


def best(run, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


if task == "step":
    data = torch.randn(ROWS, dim)
    parameters = [p for m in linear + norm for p in m.parameters()]
    adam = torch.optim.Adam(parameters, lr=0.002)

    def step():
        x = data[torch.randperm(ROWS)[:BATCH]]
        z = logits(x, update=True)
        p = F.softmax(z, 1)
        target = p.detach()  # the clean pass serves the target, too: one pass fewer
        d = torch.randn_like(x)
        d = (d / d.norm(dim=1, keepdim=True)).requires_grad_()
        (g,) = torch.autograd.grad(kl(target, logits(x + XI * d)), d)
        sat = kl(target, logits(x + ALPHA * 8 * g / g.norm(dim=1, keepdim=True)))
        mean = p.mean(0)
        information = -(p * torch.log(p + FLOOR)).sum() / len(p) + MU * (mean * torch.log(mean + FLOOR)).sum()
        adam.zero_grad()
        (sat + LAMBDA * information).backward()
        adam.step()

    print(best(step, 60 if hidden else 300))
else:
    rows = torch.randn(20000, dim)

    def predict():
        with torch.no_grad():
            return torch.cat([logits(rows[i:i + 2500], evaluate=True).argmax(1) for i in range(0, 20000, 2500)])

    print(best(predict, 5))
