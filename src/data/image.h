/* SPDX-License-Identifier: MIT
 *
 * Pictures: from the bytes of a PNG, JPEG or WebP file to pixels of 8 bits, gray or color, and
 * from one size to another. Gray files stay gray; palettes become color; of 16 bits the upper
 * 8 are kept; what is transparent is laid on white. Profiles and gamma are not looked at.
 */
#ifndef IM_DATA_IMAGE_H
#define IM_DATA_IMAGE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct im_image {
    size_t height, width, channels; /* 1: gray; 3: red, green, blue */
    unsigned char *pixels;          /* (height, width, channels), owned */
} im_image;

/* The most pixels that a file may have, 11585 x 11585, which are 400 MB of color, and the most
 * in a row or a column. A file of 30 bytes can claim any number of them. */
enum { IM_IMAGE_MAX_PIXELS = 1 << 27, IM_IMAGE_MAX_SIDE = 1 << 20 };

/* The most pixels of a file by its size: some, and so many a byte. A blank page of black and
 * white is 8,256 a byte as PNG, which cannot do better. WebP can, without a limit: 200 bytes
 * would take seconds, and a gigabyte. */
enum { IM_IMAGE_FREE_PIXELS = 1 << 22, IM_IMAGE_PIXELS_A_BYTE = 8300 };

/* Whether a file that begins with these bytes is a picture, of a kind that is known: 12 bytes
 * tell. */
bool im_image_knows(const unsigned char *head, size_t size);

/* The picture that the whole file, `size` bytes at `data`, holds. A damaged one is refused,
 * also where the library that reads it would fill up what is missing. `path` begins messages.
 */
imsat_status im_image_decode(im_image *out, const unsigned char *data, size_t size,
                             const char *path, imsat_error *err);

/* Make it gray (1) or color (3). Gray is the luma of Rec. 601 with Pillow's rounding. */
imsat_status im_image_convert(im_image *image, size_t channels, imsat_error *err);

/* Another size, by a triangle filter that is as wide as a pixel of the smaller picture: every
 * pixel counts, and nothing is aliased. `out` is another image, which is replaced. */
imsat_status im_image_resize(im_image *out, const im_image *image, size_t height, size_t width,
                             imsat_error *err);

void im_image_clear(im_image *image);

#endif
