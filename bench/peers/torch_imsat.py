# SPDX-License-Identifier: MIT
"""IMSAT in PyTorch, as the paper's authors wrote it: what torch_peer.py and torch_quality_peer.py
time.

A step has each term of the objective as a function of its own, so that VAT runs the clean batch
once more for its target; a lean one takes the target from the pass that the information term has
made, as ours does.
"""
import torch
import torch.nn.functional as F

FLOOR = 1e-8  # in every logarithm, as the authors have it
LAMBDA, MU, ALPHA = 0.1, 4.0, 0.25


def entropy(p):
    return -(p * torch.log(p + FLOOR) + (1 - p) * torch.log(1 - p + FLOOR))


class Imsat:
    def __init__(self, widths, bits, lean):
        """widths: of the data, the hidden layers and the outputs; bits: these are bits."""
        self.bits, self.lean = bits, lean
        self.linear = [torch.nn.Linear(i, o) for i, o in zip(widths, widths[1:])]
        self.norm = [torch.nn.BatchNorm1d(o, eps=2e-5) for o in widths[1:-1]]
        for layer in self.linear:
            scale = 0.01 if layer is self.linear[-1] and len(widths) > 2 else 0.1 ** 0.5
            torch.nn.init.normal_(layer.weight, 0, scale / layer.in_features ** 0.5)
            torch.nn.init.zeros_(layer.bias)
        self.adam = torch.optim.Adam([p for m in self.linear + self.norm for p in m.parameters()], lr=0.002)

    def logits(self, x, update=False, evaluate=False):
        for layer, bn in zip(self.linear, self.norm):
            stats = (bn.running_mean, bn.running_var) if update or evaluate else (None, None)
            x = F.relu(F.batch_norm(layer(x), *stats, bn.weight, bn.bias, not evaluate, 0.1, bn.eps))
        return self.linear[-1](x)

    def predict(self, z):
        return torch.sigmoid(z) if self.bits else F.softmax(z, 1)

    def kl(self, p, z):
        q = self.predict(z)
        if self.bits:
            one, zero = torch.log((p + FLOOR) / (q + FLOOR)), torch.log((1 - p + FLOOR) / (1 - q + FLOOR))
            return (p * one + (1 - p) * zero).sum() / len(p)
        return (p * (torch.log(p + FLOOR) - torch.log(q + FLOOR))).sum() / len(p)

    def information(self, p):
        mean = p.mean(0)
        if not self.bits:
            return -(p * torch.log(p + FLOOR)).sum() / len(p) + MU * (mean * torch.log(mean + FLOOR)).sum()
        both = p.T @ p / len(p)  # one product for all pairs, as ours
        left, right = mean[:, None], mean[None]
        pairs = 0
        for joint, apart in ((both, left * right), (left - both, left * (1 - right)),
                             (right - both, (1 - left) * right), (1 - left - right + both, (1 - left) * (1 - right))):
            pairs = pairs + joint * torch.log((joint.clamp(min=0) + FLOOR) / (apart + FLOOR))
        return entropy(p).sum() / len(p) - entropy(mean).sum() + pairs.sum() - torch.diagonal(pairs).sum()

    def step(self, x, radius, xi):
        """radius, xi: a number each, or (rows, 1)."""
        z = self.logits(x, update=True)
        p = self.predict(z)
        if self.lean:
            target = p.detach()
        else:
            with torch.no_grad():
                target = self.predict(self.logits(x))
        d = torch.randn_like(x)
        d = (d / d.norm(dim=1, keepdim=True)).requires_grad_()
        (g,) = torch.autograd.grad(self.kl(target, self.logits(x + xi * d)), d)
        sat = self.kl(target, self.logits(x + ALPHA * radius * g / g.norm(dim=1, keepdim=True)))
        self.adam.zero_grad()
        (sat + LAMBDA * self.information(p)).backward()
        self.adam.step()

    def fold(self):
        """Layers with their normalization inside: (weight, bias) of each."""
        layers = []
        for layer, bn in zip(self.linear, self.norm + [None]):
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
