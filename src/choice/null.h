/* SPDX-License-Identifier: MIT
 *
 * Rows without clusters, or with clusters that are known, to compare rows with:
 *
 *     normal    one normal of the mean and covariance of the rows
 *     uniform   the same with the leading principal components uniform: rows in a box are not
 *               normal, and have no clusters either. k-means cuts a square into quarters more
 *               surely than a round cloud
 *     permuted  each column of the rows in another order: what columns show one by one is
 *               left, what they show together is gone
 *     normals   a normal for each cluster of a labeling, of its mean and covariance
 *
 * A normal row is drawn without a factor of the covariance: mean + sum over j of g_j (x_j -
 * mean) / sqrt(n), with normal g, has the covariance of the rows, of any width and rank.
 */
#ifndef IM_CHOICE_NULL_H
#define IM_CHOICE_NULL_H

#include "choice/portion.h"
#include "imsat/choice.h"

/* Draw number `draw` of as many rows as the portion has. The same bits for any number of
 * threads. */
imsat_status im_null_draw(im_portion *out, const im_portion *portion, imsat_null kind,
                          uint64_t seed, uint32_t draw, im_pool *pool, imsat_error *err);

/* The same of normals of clusters, labels (n) being 0 to k - 1: cluster by cluster as many
 * rows as it has. */
imsat_status im_null_normals(im_portion *out, const im_portion *portion, const int32_t *labels,
                             size_t k, uint64_t seed, uint32_t draw, im_pool *pool,
                             imsat_error *err);

#endif
