#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Golden trajectory: twenty steps of imsat-vat by PyTorch's autograd, in double precision.

Writes tests/golden/vat/*.npy: the data, radius, batches, random directions and initial weights
(all float32 values), and what PyTorch makes of them: the objective's terms at every step and
the weights at the end. test_golden.c replays it. Needs Debian's python3-torch; run it from the
project's root only when the trajectory itself has to change:

    /usr/bin/python3 tests/golden/make_golden.py
"""
import os

import numpy as np
import torch
import torch.nn.functional as F

ROWS, D, HIDDEN, K, BATCH, STEPS = 40, 12, (9, 7), 4, 18, 20
LAMBDA, MU, ALPHA, XI = 0.1, 0.4, 0.25, 10.0
FLOOR, EPS, RATE, B1, B2, ADAM_EPS = 1e-8, 2e-5, 0.002, 0.9, 0.999, 1e-8
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vat")

rng = np.random.RandomState(7)
f32 = lambda a: np.asarray(a, np.float32)
centers = rng.randn(K, D) * 2
x = f32(centers[rng.randint(K, size=ROWS)] + rng.randn(ROWS, D))
radius = f32(rng.uniform(1, 3, ROWS))
batches = np.stack([rng.permutation(ROWS)[:BATCH] for _ in range(STEPS)]).astype(np.int32)
directions = f32(rng.randn(STEPS * BATCH, D))
dims = (D,) + HIDDEN + (K,)
params = []  # per layer: weight, bias, gain, as imsat lays them out
for i, o in zip(dims, dims[1:]):
    params.append(f32(rng.randn(o, i) * 0.5))
    params.append(f32(rng.randn(o) * 0.1))
    if o != K or len(params) < 8:
        params.append(f32(1 + rng.randn(o) * 0.1))
params = params[:8]
initial = np.concatenate([p.ravel() for p in params])

X, S = torch.tensor(x, dtype=torch.float64), torch.tensor(radius, dtype=torch.float64)
W = [torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in params]


def logits(a):
    for w, bias, gain in (W[0:3], W[3:6]):
        z = a @ w.T
        a = F.relu(gain * (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + EPS) + bias)
    return a @ W[6].T + W[7]


def kl(p, z):
    return (p * (torch.log(p + FLOOR) - torch.log(F.softmax(z, 1) + FLOOR))).sum() / len(p)


m = [torch.zeros_like(w) for w in W]
v = [torch.zeros_like(w) for w in W]
terms = []
for step in range(STEPS):
    rows = torch.tensor(batches[step].astype(np.int64))
    xb, length = X[rows], S[rows, None]
    p = F.softmax(logits(xb), 1)
    target = p.detach()
    d = torch.tensor(directions[step * BATCH:(step + 1) * BATCH], dtype=torch.float64)
    d = (d / d.norm(dim=1, keepdim=True)).requires_grad_()
    (g,) = torch.autograd.grad(kl(target, logits(xb + XI * d)), d)
    r = ALPHA * length * g / g.norm(dim=1, keepdim=True)
    sat = kl(target, logits(xb + r))
    cond = -(p * torch.log(p + FLOOR)).sum() / len(p)
    mean = p.mean(0)
    marg = -(mean * torch.log(mean + FLOOR)).sum()
    objective = sat + LAMBDA * cond + MU * (np.log(K) - marg)
    terms.append([t.item() for t in (objective, sat, cond, marg)])
    rate = RATE * np.sqrt(1 - B2 ** (step + 1)) / (1 - B1 ** (step + 1))
    with torch.no_grad():
        for i, (w, grad) in enumerate(zip(W, torch.autograd.grad(objective, W))):
            m[i] += (1 - B1) * (grad - m[i])
            v[i] += (1 - B2) * (grad * grad - v[i])
            w -= rate * m[i] / (torch.sqrt(v[i]) + ADAM_EPS)

os.makedirs(OUT, exist_ok=True)
final = np.concatenate([w.detach().numpy().ravel() for w in W])
for name, value in (("x", x), ("radius", radius), ("batches", batches.ravel()), ("directions", directions),
                    ("initial", initial), ("terms", np.asarray(terms).ravel()), ("final", final)):
    np.save(os.path.join(OUT, name + ".npy"), value)
print(np.asarray(terms))
