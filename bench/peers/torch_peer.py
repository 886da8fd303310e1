#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A training step, or prediction, by PyTorch: prints its time (peer.py).

    torch_peer.py step DIM HIDDEN CLUSTERS WARM STEPS      (HIDDEN 0: linear)
    torch_peer.py hash DIM HIDDEN BITS WARM STEPS
    torch_peer.py predict DIM HIDDEN OUTPUTS

The time of a step is the mean over STEPS of them, after WARM that are not timed; that of a
prediction is the best of five.

A step has each term of the objective as a function of its own, as the paper's authors wrote it,
so that VAT runs the clean batch once more for its target. step-lean and hash-lean take the
target from the pass that the information term has made, as we do. predict-lean has the
normalization of each layer folded into its weights, as we do.
"""
import sys
import time

import peer

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(print("tools/deps --bench installs python3-torch"))

peer.refuse_reference()
task, dim, hidden, outputs = sys.argv[1], *map(int, sys.argv[2:5])
task, _, lean = task.partition("-")
ROWS, BATCH, FLOOR = 5000, 250, 1e-8
LAMBDA, MU, ALPHA, XI = 0.1, 4.0, 0.25, 10.0
torch.set_num_threads(peer.THREADS)
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


def predict(z):
    return torch.sigmoid(z) if task == "hash" else F.softmax(z, 1)


def kl(p, z):
    q = predict(z)
    if task == "hash":
        one, zero = torch.log((p + FLOOR) / (q + FLOOR)), torch.log((1 - p + FLOOR) / (1 - q + FLOOR))
        return (p * one + (1 - p) * zero).sum() / len(p)
    return (p * (torch.log(p + FLOOR) - torch.log(q + FLOOR))).sum() / len(p)


def entropy(p):
    return -(p * torch.log(p + FLOOR) + (1 - p) * torch.log(1 - p + FLOOR))


def information(p):
    mean = p.mean(0)
    if task != "hash":
        return -(p * torch.log(p + FLOOR)).sum() / len(p) + MU * (mean * torch.log(mean + FLOOR)).sum()
    both = p.T @ p / len(p)  # one product for all pairs, as ours
    left, right = mean[:, None], mean[None]
    pairs = 0
    for joint, apart in ((both, left * right), (left - both, left * (1 - right)), (right - both, (1 - left) * right),
                         (1 - left - right + both, (1 - left) * (1 - right))):
        pairs = pairs + joint * torch.log((joint.clamp(min=0) + FLOOR) / (apart + FLOOR))
    return entropy(p).sum() / len(p) - entropy(mean).sum() + pairs.sum() - torch.diagonal(pairs).sum()


def fold():
    """Layers with their normalization inside."""
    layers = []
    for layer, bn in zip(linear, norm + [None]):
        weight, bias = layer.weight, layer.bias
        if bn:
            scale = bn.weight / torch.sqrt(bn.running_var + bn.eps)
            weight, bias = weight * scale[:, None], (bias - bn.running_mean) * scale + bn.bias
        layers.append((weight.detach().clone(), bias.detach().clone()))
    return layers


def folded(layers, x):
    for weight, bias in layers[:-1]:
        x = F.linear(x, weight, bias).relu_()
    return F.linear(x, *layers[-1])


def seconds(run, repeats=1):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return time.perf_counter() - start


def report(time_of_one):
    peer.report(time_of_one, f"PyTorch {torch.__version__}")


if task != "predict":
    data = torch.randn(ROWS, dim)
    parameters = [p for m in linear + norm for p in m.parameters()]
    adam = torch.optim.Adam(parameters, lr=0.002)

    def step():
        x = data[torch.randperm(ROWS)[:BATCH]]
        z = logits(x, update=True)
        p = predict(z)
        if lean:
            target = p.detach()
        else:
            with torch.no_grad():
                target = predict(logits(x))
        d = torch.randn_like(x)
        d = (d / d.norm(dim=1, keepdim=True)).requires_grad_()
        (g,) = torch.autograd.grad(kl(target, logits(x + XI * d)), d)
        sat = kl(target, logits(x + ALPHA * 8 * g / g.norm(dim=1, keepdim=True)))
        adam.zero_grad()
        (sat + LAMBDA * information(p)).backward()
        adam.step()

    warm, steps = map(int, sys.argv[5:7])
    if peer.SHORT:
        seconds(step, 2)
        warm, steps = 1, max(5, int(0.5 / seconds(step)))
    seconds(step, warm)
    report(seconds(step, steps) / steps)
else:
    rows = torch.randn(20000, dim)

    layers = fold()

    def label():
        with torch.inference_mode():
            return torch.cat([(folded(layers, x) if lean else logits(x, evaluate=True)).argmax(1)
                              for x in torch.split(rows, 2500)])

    report(min(seconds(label) for _ in range(2 if peer.SHORT else 5)))
