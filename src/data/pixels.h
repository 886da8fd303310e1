/* SPDX-License-Identifier: MIT
 *
 * Images whose values a file holds in another order than rows have them, which is height by
 * width by channels, channels next to each other. They are brought into that order as rows are
 * asked for, and the file stays mapped. */
#ifndef IM_DATA_PIXELS_H
#define IM_DATA_PIXELS_H

#include "data/block.h"

/* Bytes from one value to the next down, to the right, and to the next channel. */
typedef struct im_pixels_order {
    size_t down, right, channel;
} im_pixels_order;

/* The values of a block of images that has its type, shape, bytes and byte order: image i
 * begins at base + i * row_stride. */
imsat_status im_pixels_set(im_block *block, im_pixels_order order, const char *path,
                           imsat_error *err);

#endif
