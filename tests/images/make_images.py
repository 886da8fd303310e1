#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the pictures of this folder, and beside each what Pillow reads from it, as .ppm (color)
or .pgm (gray). tests/unit/test_image.c compares what imsat reads. Pillow cannot write PNG files
of 16 bits a color or interlaced ones; these are put together here, and read by Pillow.

    tests/images/make_images.py        needs Debian's python3-pil; made with Pillow 9.4
"""
import os
import struct
import zlib

from PIL import Image, ImageOps

os.chdir(os.path.dirname(os.path.abspath(__file__)))
W, H = 13, 9


def value(x, y, c):
    """A slope with noise on it, another in each channel."""
    noise = (x * 7919 + y * 104729 + c * 1299709) % 61
    return (x * (11 + c) + y * (17 - 5 * c) + noise) % 256


gray = Image.new("L", (W, H))
gray.putdata([value(x, y, 0) for y in range(H) for x in range(W)])
rgb = Image.merge("RGB", [Image.new("L", (W, H)) for _ in range(3)])
rgb.putdata([tuple(value(x, y, c) for c in range(3)) for y in range(H) for x in range(W)])
opacity = Image.new("L", (W, H))
opacity.putdata([min(255, x * 25) if y % 3 else 255 * (x % 2) for y in range(H) for x in range(W)])
rgba = rgb.copy()
rgba.putalpha(opacity)
la = gray.copy()
la.putalpha(opacity)


def on_white(image):
    """Pillow's own blend of an image with opacity and white."""
    mode = "L" if image.mode == "LA" else "RGB"
    white = Image.new(mode, image.size, "white")
    white.paste(image.convert(mode), mask=image.getchannel("A"))
    return white


def expect(name, image):
    image.save(name + (".pgm" if image.mode == "L" else ".ppm"))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(name, depth, color_type, interlace, rows):
    header = struct.pack(">IIBBBBB", W, H, depth, color_type, 0, 0, interlace)
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def adam7(pixel):
    """The rows of the seven passes; pixel(x, y) is bytes."""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)]
    rows = b""
    for x0, y0, dx, dy in passes:
        for y in range(y0, H, dy):
            line = b"".join(pixel(x, y) for x in range(x0, W, dx))
            rows += b"\0" + line if line else b""
    return rows


# ---- PNG ----
gray.save("gray.png")
expect("gray", Image.open("gray.png"))
gray.point(lambda v: 255 * (v > 100)).convert("1").save("gray1.png")
expect("gray1", Image.open("gray1.png").convert("L"))
Image.frombytes("I;16", (W, H), b"".join(struct.pack("<H", 257 * value(x, y, 1) ^ 0x55)
                for y in range(H) for x in range(W))).save("gray16.png")
sixteen = Image.open("gray16.png")
eight = Image.new("L", (W, H))
eight.putdata([v >> 8 for v in sixteen.getdata()])
expect("gray16", eight)
la.save("gray_alpha.png")
expect("gray_alpha", on_white(Image.open("gray_alpha.png")))
gray.save("gray_key.png", transparency=gray.getpixel((3, 2)))
expect("gray_key", on_white(Image.open("gray_key.png").convert("LA")))
rgb.save("rgb.png")
expect("rgb", Image.open("rgb.png"))
rgba.save("rgba.png")
expect("rgba", on_white(Image.open("rgba.png")))
rgb.save("rgb_key.png", transparency=rgb.getpixel((5, 4)))
expect("rgb_key", on_white(Image.open("rgb_key.png").convert("RGBA")))
for bits in (1, 2, 4, 8):
    palette = rgb.quantize(2**min(bits, 6))
    palette.save("palette%d.png" % bits, bits=bits)
    expect("palette%d" % bits, Image.open("palette%d.png" % bits).convert("RGB"))
rgb.quantize(8).save("palette_key.png", transparency=bytes([255, 0, 128, 255, 7]))
expect("palette_key", on_white(Image.open("palette_key.png").convert("RGBA")))
write_png("rgb16.png", 16, 2, 0, b"".join(
    b"\0" + b"".join(struct.pack(">H", 251 * value(x, y, c)) for x in range(W) for c in range(3))
    for y in range(H)))
expect("rgb16", Image.open("rgb16.png").convert("RGB"))
write_png("interlaced.png", 8, 2, 1,
          adam7(lambda x, y: bytes(value(x, y, c) for c in range(3))))
expect("interlaced", Image.open("interlaced.png"))

# ---- JPEG ----
gray.save("gray.jpg", quality=80)
expect("gray_jpg", Image.open("gray.jpg"))
rgb.save("rgb444.jpg", quality=90, subsampling=0)
expect("rgb444", Image.open("rgb444.jpg"))
rgb.save("rgb420.jpg", quality=90, subsampling=2)
expect("rgb420", Image.open("rgb420.jpg"))
rgb.save("progressive.jpg", quality=90, progressive=True)
expect("progressive", Image.open("progressive.jpg"))
rgb.convert("CMYK").save("cmyk.jpg", quality=90)
expect("cmyk", Image.open("cmyk.jpg").convert("RGB"))
data = bytearray(open("cmyk.jpg", "rb").read())
data[data.index(b"Adobe") + 11] = 2  # the same numbers, said to be YCCK
open("ycck.jpg", "wb").write(data)
expect("ycck", Image.open("ycck.jpg").convert("RGB"))
# Eight orientations of one file: the test changes the byte.
exif = Image.Exif()
exif[0x010F] = "camera"
exif[0x0112] = 1
rgb.crop((0, 0, 5, 4)).resize((16, 8)).save("turned.jpg", quality=90, subsampling=0, exif=exif)
for n in range(1, 9):
    turned = Image.open("turned.jpg")
    turned.getexif()[0x0112] = n
    expect("turned%d" % n, ImageOps.exif_transpose(turned))

# ---- WebP ----
rgb.save("lossless.webp", lossless=True)
expect("lossless", Image.open("lossless.webp").convert("RGB"))
rgb.save("lossy.webp", quality=80)
expect("lossy", Image.open("lossy.webp").convert("RGB"))
rgba.save("alpha.webp", lossless=True, exact=True)
expect("alpha", on_white(Image.open("alpha.webp")))
rgb.save("animation.webp", save_all=True, append_images=[rgb.transpose(Image.ROTATE_180)])

# ---- other sizes, of rgb.png and of its gray ----
expect("luma", rgb.convert("L"))
for w, h in ((5, 4), (3, 9), (13, 2), (1, 1), (29, 31), (7, 20)):
    expect("rgb_%dx%d" % (w, h), rgb.resize((w, h), Image.BILINEAR))
expect("luma_6x5", rgb.convert("L").resize((6, 5), Image.BILINEAR))
