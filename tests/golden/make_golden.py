#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Golden trajectories: twenty steps of imsat-vat by PyTorch's autograd, in double precision.

Writes tests/golden/vat/*.npy (clusters) and tests/golden/hash/*.npy (bits): the data, radius,
batches, random directions and initial weights (all float32 values), and what PyTorch makes of
them: the objective's terms at every step and the weights at the end. test_golden.c replays
them. Needs Debian's python3-torch; run it from the project's root only when a trajectory
itself has to change:

    /usr/bin/python3 tests/golden/make_golden.py
"""
import os

import numpy as np
import torch
import torch.nn.functional as F

ROWS, D, HIDDEN, BATCH, STEPS = 40, 12, (9, 7), 18, 20
LAMBDA, MU, ALPHA, XI = 0.1, 0.4, 0.25, 10.0
FLOOR, EPS, RATE, B1, B2, ADAM_EPS = 1e-8, 2e-5, 0.002, 0.9, 0.999, 1e-8
HERE = os.path.dirname(os.path.abspath(__file__))


def f32(a):
    return np.asarray(a, np.float32)


def floor_log(p):
    return torch.log(p + FLOOR)


class Clusters:
    """Softmax; the terms are objective, sat, H(Y|X), H(Y)."""

    outputs, folder, seed = 4, "vat", 7

    @staticmethod
    def predict(z):
        return F.softmax(z, 1)

    @staticmethod
    def kl(p, z):
        return (p * (floor_log(p) - floor_log(F.softmax(z, 1)))).sum() / len(p)

    @classmethod
    def terms(cls, p, sat):
        cond = -(p * floor_log(p)).sum() / len(p)
        mean = p.mean(0)
        marg = -(mean * floor_log(mean)).sum()
        return sat + LAMBDA * cond + MU * (np.log(cls.outputs) - marg), sat, cond, marg


class Bits:
    """Sigmoids; the terms are objective, sat, and sums of H(Y_d|X), H(Y_d) and, over d != e, I(Y_d;Y_e)."""

    outputs, folder, seed = 5, "hash", 8

    @staticmethod
    def predict(z):
        return torch.sigmoid(z)

    @staticmethod
    def kl(p, z):
        q = torch.sigmoid(z)
        one, zero = p * torch.log((p + FLOOR) / (q + FLOOR)), (1 - p) * torch.log((1 - p + FLOOR) / (1 - q + FLOOR))
        return (one + zero).sum() / len(p)

    @staticmethod
    def terms(p, sat):
        def h(q):
            return -(q * floor_log(q) + (1 - q) * floor_log(1 - q))

        mean, pair = p.mean(0), 0
        for u, mu in ((p, mean), (1 - p, 1 - mean)):
            for v, mv in ((p, mean), (1 - p, 1 - mean)):
                joint = u.T @ v / len(p)
                pair = pair + joint * torch.log((joint + FLOOR) / (mu[:, None] * mv[None] + FLOOR))
        cond, marg, pair = h(p).sum() / len(p), h(mean).sum(), pair.sum() - torch.diagonal(pair).sum()
        return sat + LAMBDA * (cond - marg + pair), sat, cond, marg, pair


def draw(task):
    """Data, radius, batches, directions and initial parameters (per layer weight, bias, gain)."""
    rng = np.random.RandomState(task.seed)
    centers = rng.randn(task.outputs, D) * 2
    x = f32(centers[rng.randint(task.outputs, size=ROWS)] + rng.randn(ROWS, D))
    radius = f32(rng.uniform(1, 3, ROWS))
    batches = np.stack([rng.permutation(ROWS)[:BATCH] for _ in range(STEPS)]).astype(np.int32)
    directions = f32(rng.randn(STEPS * BATCH, D))
    dims = (D,) + HIDDEN + (task.outputs,)
    params = []
    for i, o in zip(dims, dims[1:]):
        params.append(f32(rng.randn(o, i) * 0.5))
        params.append(f32(rng.randn(o) * 0.1))
        if len(params) < 8:
            params.append(f32(1 + rng.randn(o) * 0.1))
    return x, radius, batches, directions, params


def logits(weights, a):
    for w, bias, gain in (weights[0:3], weights[3:6]):
        z = a @ w.T
        a = F.relu(gain * (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + EPS) + bias)
    return a @ weights[6].T + weights[7]


def step_terms(task, weights, xb, length, d):
    p = task.predict(logits(weights, xb))
    target = p.detach()
    d = (d / d.norm(dim=1, keepdim=True)).requires_grad_()
    (g,) = torch.autograd.grad(task.kl(target, logits(weights, xb + XI * d)), d)
    r = ALPHA * length * g / g.norm(dim=1, keepdim=True)
    return task.terms(p, task.kl(target, logits(weights, xb + r)))


def train(task):
    x, radius, batches, directions, params = draw(task)
    X, S, R = (torch.tensor(a, dtype=torch.float64) for a in (x, radius, directions))
    W = [torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in params]
    m = [torch.zeros_like(w) for w in W]
    v = [torch.zeros_like(w) for w in W]
    record = []
    for step in range(STEPS):
        rows = torch.tensor(batches[step].astype(np.int64))
        d = R[step * BATCH:(step + 1) * BATCH]
        terms = step_terms(task, W, X[rows], S[rows, None], d)
        record.append([t.item() for t in terms])
        rate = RATE * np.sqrt(1 - B2 ** (step + 1)) / (1 - B1 ** (step + 1))
        with torch.no_grad():
            for i, (w, grad) in enumerate(zip(W, torch.autograd.grad(terms[0], W))):
                m[i] += (1 - B1) * (grad - m[i])
                v[i] += (1 - B2) * (grad * grad - v[i])
                w -= rate * m[i] / (torch.sqrt(v[i]) + ADAM_EPS)
    return {"x": x, "radius": radius, "batches": batches.ravel(), "directions": directions,
            "initial": np.concatenate([p.ravel() for p in params]), "terms": np.asarray(record).ravel(),
            "final": np.concatenate([w.detach().numpy().ravel() for w in W])}


for task in (Clusters, Bits):
    folder = os.path.join(HERE, task.folder)
    os.makedirs(folder, exist_ok=True)
    for name, value in train(task).items():
        np.save(os.path.join(folder, name + ".npy"), value)
        if name == "terms":
            print(value.reshape(STEPS, -1))
