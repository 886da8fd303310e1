/* SPDX-License-Identifier: MIT
 *
 * Rows that are images as small pictures: gray, or in color of three channels and more. A
 * picture larger than IM_THUMBS_SIDE is brought down by taking means of squares of pixels.
 * What is black and white is the least and the largest value of a sample.
 */
#ifndef IM_PLOT_THUMBS_H
#define IM_PLOT_THUMBS_H

#include "core/strbuf.h"
#include "data/dataset.h"

enum { IM_THUMBS_SIDE = 32 };

typedef struct im_thumbs {
    imsat_image image;              /* of the rows; all 0: they are not images */
    size_t step;                    /* pixels of a row that become one */
    size_t height, width, channels; /* of the pictures */
    double low, high;               /* black and white */
    float *row;                     /* (dim) owned */
    uint8_t *pixels;                /* (height, width, channels) owned */
} im_thumbs;

/* sample: rows by which black and white are found. */
imsat_status im_thumbs_fit(im_thumbs *out, imsat_image image, const imsat_data *sample,
                           imsat_error *err);
void im_thumbs_clear(im_thumbs *pictures);

/* Bytes of one that is not compressed, as base64: more than it will take. */
size_t im_thumbs_bytes(const im_thumbs *pictures);

/* Put the picture of a row of data as a URL: "data:image/png;base64,...". */
imsat_status im_thumbs_put(im_strbuf *out, im_thumbs *pictures, const imsat_data *data,
                           size_t row, imsat_error *err);

/* Put the pictures of rows 0, every, 2 every, ... (count) as one, `across` side by side. */
imsat_status im_thumbs_sheet(im_strbuf *out, im_thumbs *pictures, const imsat_data *data,
                             size_t every, size_t count, size_t across, imsat_error *err);

/* The same for these rows (count); a place whose row is SIZE_MAX stays black. */
imsat_status im_thumbs_rows(im_strbuf *out, im_thumbs *pictures, const imsat_data *data,
                            const size_t *rows, size_t count, size_t across, imsat_error *err);

#endif
