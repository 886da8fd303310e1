/* SPDX-License-Identifier: MIT
 *
 * What a labeling of rows is worth, measured without true labels.
 *
 * Neighbor information: draw an edge of the graph of nearest neighbors by its weight. Y and Y'
 * are the labels of its ends. What the one tells of the other,
 *
 *     I(Y;Y') = 2 H(Y) - H(Y,Y')      and its share      I(Y;Y') / H(Y)
 *
 * is large if few edges lead from one cluster into another, so that the borders lie where
 * there are few rows, whatever the form of the clusters. A share of 1: none does. A border
 * through a dense region costs as much however stable it is, which is what tells two moons
 * from two halves of them. docs/choice.md has what it was compared with.
 */
#ifndef IM_CHOICE_MEASURE_H
#define IM_CHOICE_MEASURE_H

#include "choice/portion.h"

/* nats: I(Y;Y'); share: of H(Y), and 0 if there is but one cluster. labels (n) are 0 to k - 1.
 */
imsat_status im_measure_information(double *share, double *nats, const im_graph *graph,
                                    const int32_t *labels, size_t k, imsat_error *err);

/* The mean silhouette (Rousseeuw 1987) of the first 512 rows among all of them: (b - a) /
 * max(a, b), a the mean distance to the other rows of the cluster, b that to the rows of the
 * nearest other one. A row that is alone in its cluster counts 0; so does every one of a
 * single cluster. */
imsat_status im_measure_silhouette(double *out, const im_portion *portion,
                                   const int32_t *labels, size_t k, im_pool *pool,
                                   imsat_error *err);

/* Prediction strength (Tibshirani and Walther 2005): rows have their own labels (n), found on
 * them alone, and those that a model of other rows predicts. Of each cluster the share of
 * pairs of rows that the prediction, too, has together; the least of all clusters of two or
 * more. */
imsat_status im_measure_strength(double *out, const int32_t *own, const int32_t *predicted,
                                 size_t n, size_t k, imsat_error *err);

#endif
