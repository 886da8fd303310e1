/* SPDX-License-Identifier: MIT
 *
 * The method gmm: a mixture of k normals (linear/gaussians.h), each a cluster. The label of a
 * row is the component of the largest share, and its probabilities are the shares,
 *
 *     log share_c = log weight_c + log det A_c - 1/2 |A_c (x - mean_c)|^2 + what is the same
 *
 * so a network of one linear layer, whose units A_c (x - mean_c) are read out as log densities
 * (nn/readout.h); with one covariance for all, the squares of x cancel, and it is plain.
 *
 * The objective is the mean of -log p(x) over the prepared rows.
 */
#ifndef IM_BASELINE_GMM_H
#define IM_BASELINE_GMM_H

#include "train/method.h"

imsat_status im_gmm_fit(im_fit *fit, imsat_error *err);

#endif
