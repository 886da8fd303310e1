#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""GIST by NumPy, written from the formulas of the two usual programs (LMgist.m, lear_gist).

    gist.py [IMSAT]            compare 'imsat features gist' with it, on random images
    gist.py --golden FOLDER    write what tests/unit/test_gist.c compares with

IMSAT is the program; without it, $IMSAT. Exits with 0, or with 1 if a value differs by more than
2e-6, which is some units in the last place of the largest.
"""
import os
import subprocess
import sys

import numpy as np

TOLERANCE = 2e-6


def whiten(image):
    """Whitening and local contrast normalization of (height, width, channels)."""
    border, height, width = 5, image.shape[0] + 10, image.shape[1] + 10
    side = max(height, width)
    side += side % 2
    x = np.pad(np.log(image + 1), ((border, border), (border, border), (0, 0)), "symmetric")
    x = np.pad(x, ((0, side - height), (0, side - width), (0, 0)), "symmetric")
    f = np.fft.fftfreq(side, 1 / side)
    low = np.exp(-(f[:, None] ** 2 + f**2) / (4 / np.sqrt(np.log(2))) ** 2)[:, :, None]

    def smooth(y):
        return np.fft.ifft2(np.fft.fft2(y, axes=(0, 1)) * low, axes=(0, 1))

    x = x - smooth(x).real
    x = x / (0.2 + np.sqrt(np.abs(smooth(x.mean(axis=2, keepdims=True) ** 2))))
    return x[border : height - border, border : width - border]


def filters(scales, height, width):
    """Gabor filters in the frequency domain, those of a scale for each of its orientations."""
    fy, fx = np.meshgrid(
        np.fft.fftfreq(height, 1 / height), np.fft.fftfreq(width, 1 / width), indexing="ij"
    )
    radius, angle = np.hypot(fx, fy), np.arctan2(fy, fx)
    for s, orientations in enumerate(scales):
        for o in range(orientations):
            t = angle + np.pi / orientations * o
            t = t + 2 * np.pi * (t < -np.pi) - 2 * np.pi * (t > np.pi)
            off = radius / width / (0.3 / 1.85**s) - 1
            yield np.exp(-3.5 * off**2 - 2 * np.pi * (16 * orientations**2 / 32**2) * t**2)


def gist(image, color):
    """The descriptor of (height, width, 3): 960 values of color, or 512 of the mean channel."""
    x = image.astype(float)
    if not color:
        x = x.mean(axis=2, keepdims=True)
        x = x - x.min()
        x = 255 * x / max(x.max(), 1e-30)
    x = whiten(x)
    height, width = x.shape[:2]
    margin = 0 if color else 32
    x = np.pad(x, ((margin, margin), (margin, margin), (0, 0)), "symmetric")
    rows, columns = (np.arange(5) * n // 4 for n in (height, width))
    values = []
    for channel in range(x.shape[2]):
        transform = np.fft.fft2(x[:, :, channel])
        for g in filters((8, 8, 4) if color else (8, 8, 8, 8), *transform.shape):
            y = np.abs(np.fft.ifft2(transform * g))
            y = y[margin : margin + height, margin : margin + width]
            values += [
                y[rows[r] : rows[r + 1], columns[c] : columns[c + 1]].mean()
                for c in range(4)
                for r in range(4)
            ]
    return np.array(values, np.float32)


def draw(random, count, height, width):
    """Images with shapes and noise."""
    y, x = np.mgrid[0:height, 0:width]
    images = np.empty((count, height, width, 3), np.uint8)
    for i in range(count):
        for c in range(3):
            wave = np.sin(x * random.uniform(-1, 1) + y * random.uniform(-1, 1))
            edge = (x - y * random.uniform(-2, 2) > random.uniform(0, width)) * random.uniform(0, 1)
            noise = random.uniform(-0.2, 0.2, x.shape)
            images[i, :, :, c] = np.clip(127 + 60 * wave + 60 * edge + 60 * noise, 0, 255)
    return images


SIZES = {"square": (32, 32), "odd": (21, 28)}


def write_golden(folder):
    for name, size in SIZES.items():
        images = draw(np.random.default_rng(1), 2, *size)
        np.save(f"{folder}/{name}.npy", images)
        np.save(f"{folder}/{name}_gray.npy", np.array([gist(i, False) for i in images]))
        np.save(f"{folder}/{name}_color.npy", np.array([gist(i, True) for i in images]))


def compare(program):
    """The largest difference over images of several sizes."""
    random = np.random.default_rng(2)
    worst = 0
    for size in [(32, 32), (4, 4), (5, 40), (64, 48), (97, 31)]:
        images = draw(random, 5, *size)
        np.save("images.npy", images)
        for color in (False, True):
            line = [program, "features", "gist", "images.npy", "-o", "gist.npy"]
            subprocess.run(line + ["--color"] * color, check=True, stdout=subprocess.DEVNULL)
            ours = np.load("gist.npy")
            assert ours.dtype == np.float32
            theirs = np.array([gist(i, color) for i in images])
            worst = max(worst, np.abs(ours - theirs).max())
    return worst


def main():
    if sys.argv[1:2] == ["--golden"]:
        write_golden(sys.argv[2])
        return 0
    worst = compare(sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"])
    print(f"GIST: within {worst:.1e} of NumPy's")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
