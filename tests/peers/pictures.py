#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Folders of pictures that Pillow writes, read as Pillow reads them.

    pictures.py [IMSAT]

IMSAT is the program; without it, $IMSAT. A folder of gray and one of color pictures, PNG, JPEG and
WebP of several kinds in folders that are their labels, become rows: as they are, and with --image
in other sizes, gray and color. PNG and lossless WebP must be equal to what Pillow makes of them,
sizes by its BILINEAR included; what a decoder rounds, JPEG and lossy WebP, may be off by ROUNDING
levels of 255, for Pillow may bring libraries of its own. Prints one line; exits with 0, or with an
error.
"""
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

H, W = 37, 52
ROUNDING = 1
LABELS = ["birds", "fish", "ships"]
SIZES = ["", "28x28", "28x28x3", "11x64", "90x7x3"]
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2)]


def draw(random, channels):
    """A picture with shapes and noise, (H, W, channels)."""
    y, x = np.mgrid[0:H, 0:W]
    planes = []
    for _ in range(channels):
        wave = np.sin(x * random.uniform(-0.3, 0.3) + y * random.uniform(-0.3, 0.3))
        edge = (x - y * random.uniform(-2, 2) > random.uniform(0, W)) * random.uniform(0, 1)
        planes.append(127 + 60 * wave + 60 * edge + 20 * random.normal(size=x.shape))
    return np.clip(np.stack(planes, axis=2), 0, 255).astype(np.uint8)


def write_png(name, pixels, interlaced):
    """What Pillow cannot write: interlaced files, and color of 16 bits. (H, W, 1 or 3)."""
    height, width, channels = pixels.shape
    depth = 8 * pixels.dtype.itemsize
    rows = b""
    for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        for line in pixels[y0::dy, x0::dx]:
            rows += b"\0" + line.astype(line.dtype.newbyteorder(">")).tobytes()
    header = struct.pack(">IIBBBBB", width, height, depth, channels - 1, 0, 0, interlaced)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            crc = zlib.crc32(kind + data)
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc))


def write_gray(random, folder):
    """Gray pictures of every kind; those that are rounded have 'lossy' in their names."""
    gray = draw(random, 1)
    deep = gray[:, :, 0].astype(np.uint16) * 256 + random.integers(0, 256, (H, W))
    image = Image.fromarray(gray[:, :, 0])
    opaque = Image.fromarray(draw(random, 1)[:, :, 0])
    image.save(f"{folder}/plain.png")
    image.quantize(2).convert("1").save(f"{folder}/bits.png")
    Image.fromarray(deep.astype(np.uint16)).save(f"{folder}/deep.png")
    Image.merge("LA", (image, opaque)).save(f"{folder}/alpha.png")
    write_png(f"{folder}/interlaced.png", gray, 1)
    image.save(f"{folder}/lossy.jpg", quality=70)
    image.save(f"{folder}/lossy_progressive.jpg", progressive=True)


def write_color(random, folder):
    """The same in color."""
    color = draw(random, 3)
    image = Image.fromarray(color)
    blended = Image.merge("RGBA", (*image.split(), Image.fromarray(draw(random, 1)[:, :, 0])))
    image.save(f"{folder}/plain.png")
    image.quantize(200).save(f"{folder}/palette.png")
    image.quantize(12).save(f"{folder}/palette4.png", bits=4)
    image.quantize(40).save(f"{folder}/key.png", transparency=3)
    blended.save(f"{folder}/alpha.png")
    write_png(f"{folder}/deep.png", color.astype(np.uint16) * 256 + color.T.flat[0], 0)
    write_png(f"{folder}/interlaced.png", color, 1)
    image.save(f"{folder}/lossy.jpg", subsampling=0)
    image.save(f"{folder}/lossy_small.jpg", quality=60, subsampling=2)
    image.save(f"{folder}/lossy_progressive.jpg", progressive=True)
    image.save(f"{folder}/plain.webp", lossless=True)
    blended.save(f"{folder}/alpha.webp", lossless=True, exact=True)
    image.save(f"{folder}/lossy.webp", quality=80)


def load(name):
    """As Pillow has it: 8 bits, gray or color, on white."""
    image = Image.open(name)
    if image.mode.startswith("I"):
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if "transparency" in image.info or image.mode in ("LA", "RGBA"):
        image = image.convert("LA" if image.mode in ("L", "LA") else "RGBA")
        white = Image.new(image.mode[:-1], image.size, "white")
        white.paste(image.convert(white.mode), mask=image.getchannel("A"))
        return white
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def expect(names, size):
    """The rows of these files, in the shape that --image asks for."""
    rows = []
    for name in names:
        image = load(name)
        if size:
            height, width, channels = (*map(int, size.split("x")), 1)[:3]
            image = image.convert("RGB" if channels == 3 else "L")
            image = image.resize((width, height), Image.BILINEAR)
        rows.append(np.asarray(image))
    return np.stack(rows)


def compare(program, folder, names, size):
    """Read the folder; how far what is rounded is off."""
    line = [program, "convert", folder, "rows.npy", "--labels", "labels.npy", "-q"]
    subprocess.run(line + ["--image", size] * bool(size), check=True, stdout=subprocess.DEVNULL)
    ours, theirs = np.load("rows.npy"), expect(names, size)
    assert ours.dtype == np.uint8 and ours.shape == theirs.shape, (ours.shape, theirs.shape)
    labels = [LABELS.index(name.split("/")[1]) for name in names]
    assert np.array_equal(np.load("labels.npy"), labels), folder
    off = np.abs(ours.astype(int) - theirs).reshape(len(names), -1).max(axis=1)
    for name, levels in zip(names, off):
        most = ROUNDING if "lossy" in name else 0
        assert levels <= most, f"{name} {size}: off by {levels} levels, may be by {most}"
    return off.max()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    random = np.random.default_rng(1)
    worst, count = 0, 0
    for kind, write in (("gray", write_gray), ("color", write_color)):
        for label in LABELS:
            os.makedirs(f"{kind}/{label}")
            write(random, f"{kind}/{label}")
        names = sorted(f"{path}/{name}" for path, _, files in os.walk(kind) for name in files)
        count += len(names)
        worst = max(worst, *(compare(program, kind, names, size) for size in SIZES))
    print(f"pictures: {count} of Pillow's read as it reads them, JPEG and WebP within {worst}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
