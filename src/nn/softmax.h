/* SPDX-License-Identifier: MIT
 *
 * Softmax over the outputs of each row:  p_ij = exp(z_ij - max_j z_ij) / sum_j exp(...)
 * Backward:                              dz_ij = p_ij (dp_ij - sum_j dp_ij p_ij)
 *
 * Activations are units x batch inside the network; losses want rows. The change of layout
 * happens here: z and dz are (k, ldz), p and dp are (n, k).
 */
#ifndef IM_NN_SOFTMAX_H
#define IM_NN_SOFTMAX_H

#include "core/real.h"

#include <stddef.h>
#include <stdint.h>

void im_softmax_forward(im_real *p, const im_real *z, size_t ldz, size_t n, size_t k);

void im_softmax_backward(im_real *dz, size_t ldz, const im_real *dp, const im_real *p,
                         size_t n, size_t k);

/* The most probable of k outputs; the first of equals. */
int32_t im_softmax_label(const im_real *p, size_t k);

#endif
