/* SPDX-License-Identifier: MIT
 *
 * The method kmeans: centers of the prepared rows by linear/kmeans.h, as a network without
 * hidden layers. The center nearest to a row x is the one of the highest score
 *
 *     s(x, c) = c . x - |c|^2 / 2            |x - c|^2 = |x|^2 - 2 s(x, c)
 *
 * so the centers are the weights, and -|c|^2 / 2 the biases, of one linear layer. Its softmax,
 * the probabilities that prediction gives, is that of normals of variance 1 around the
 * centers, all equally frequent: near 0 and 1 wherever rows have many columns. It says which
 * centers are near, not how sure a label is.
 *
 * The objective of a run is its inertia, the sum of the squared distances of the rows to their
 * centers.
 */
#ifndef IM_BASELINE_KMEANS_METHOD_H
#define IM_BASELINE_KMEANS_METHOD_H

#include "linear/kmeans.h"
#include "train/method.h"

/* The centers of the rows that the fit is given, none of them empty. */
imsat_status im_kmeans_method_find(im_kmeans *out, im_fit *fit, imsat_error *err);

imsat_status im_kmeans_method_fit(im_fit *fit, imsat_error *err);

#endif
