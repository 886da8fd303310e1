/* SPDX-License-Identifier: MIT
 *
 * The figure of Omniglot: what is in some clusters, drawn at random, of imsat-vat and of
 * imsat-vat-affine; a row of pictures a cluster. A cell keeps its panel as a picture, so that
 * the figure needs no data.
 */
#ifndef IM_REPRODUCE_GALLERY_H
#define IM_REPRODUCE_GALLERY_H

#include "data/dataset.h"
#include "reproduce/plan.h"

enum { IM_GALLERY_SIDE = 10 }; /* clusters, and rows of each */

/* Rows (IM_GALLERY_SIDE, IM_GALLERY_SIDE) of data with these labels, below k: clusters that
 * have any, in an order drawn by the seed, and rows of each without repetition; SIZE_MAX where
 * there are no more. */
imsat_status im_gallery_sample(size_t *sample, const int32_t *labels, size_t rows, size_t k,
                               uint64_t seed, imsat_error *err);

/* Their pictures as one, "data:image/png;base64,...", to be freed by im_free(). */
imsat_status im_gallery_draw(char **url, const imsat_data *data, const size_t *sample,
                             imsat_error *err);

/* A panel for each of the two methods, of its first cell that has one. */
void im_gallery_figure(im_strbuf *out, const im_plan *plan);

#endif
