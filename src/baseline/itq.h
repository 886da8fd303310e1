/* SPDX-License-Identifier: MIT
 *
 * The method itq: iterative quantization (Gong and Lazebnik, CVPR 2011). Rows go to their
 * first principal components, as many as bits are wanted, v = V (x - mean), and these are
 * rotated so that the signs lose little,
 *
 *     error = mean over rows of |sgn(R^T v) - R^T v|^2          R a rotation
 *
 * by taking turns: signs for the rotation, the rotation for the signs. Both lower the error.
 * Bit b of a row is whether R_b . V (x - mean) > 0: a network of one linear layer.
 */
#ifndef IM_BASELINE_ITQ_H
#define IM_BASELINE_ITQ_H

#include "train/method.h"

imsat_status im_itq_fit(im_fit *fit, imsat_error *err);

#endif
