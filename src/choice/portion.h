/* SPDX-License-Identifier: MIT
 *
 * Some rows that methods are compared on: prepared, in random order, so that the first half of
 * them is as good as any other, with their graph of nearest neighbors. Rows without clusters
 * (choice/null.h) are held in the same way.
 */
#ifndef IM_CHOICE_PORTION_H
#define IM_CHOICE_PORTION_H

#include "neighbors/graph.h"

typedef struct im_portion {
    size_t n, d;
    imsat_image image; /* what the rows are, if they are images */
    float *x;          /* (n,d) owned: prepared rows */
    size_t *row;       /* (n) owned: which rows of the data they are; NULL: of none */
    imsat_data *data;  /* owned: a view of x */
    im_graph graph;    /* of IM_PORTION_NEIGHBORS neighbors */
} im_portion;

enum { IM_PORTION_NEIGHBORS = 10 };

/* At most `most` rows of data, prepared as the options say, in which nothing is open. Of long
 * rows there are fewer: at most 2^21 numbers in all, but at least 64 rows. options->progress
 * is told, as the stage "prepare". */
imsat_status im_portion_draw(im_portion *out, const imsat_data *data,
                             const imsat_options *options, size_t most, im_pool *pool,
                             imsat_error *err);

/* Rows that are at hand: n, d and x are set, and x is freed by im_portion_clear() from now on,
 * also after a failure. */
imsat_status im_portion_open(im_portion *portion, im_pool *pool, imsat_error *err);

void im_portion_clear(im_portion *portion);

/* A frame of the rows, as they are. *pre receives the preprocessing that changes nothing, and
 * must stay as long as the frame. */
imsat_status im_portion_frame(im_frame *out, im_preprocess *pre, const im_portion *portion,
                              im_pool *pool, imsat_error *err);

/* A view of rows first .. first + count - 1. */
imsat_status im_portion_part(imsat_data **out, const im_portion *portion, size_t first,
                             size_t count, imsat_error *err);

#endif
