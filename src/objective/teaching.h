/* SPDX-License-Identifier: MIT
 *
 * Cross-entropy to labels that rows were given, of which some rows have none:
 *
 *     C = - 1/n sum over rows i of the batch with a label c_i of  log p_i,c_i
 *     dp_i,c_i = - 1 / (p_i,c_i + floor) / n
 *
 * n is all rows of the batch, so a batch with few labels teaches little.
 */
#ifndef IM_OBJECTIVE_TEACHING_H
#define IM_OBJECTIVE_TEACHING_H

#include "core/real.h"

#include <stddef.h>
#include <stdint.h>

/* p (n,k); labels: of all rows of the data, -1: none; rows (n): which of them these are. */
double im_teaching_loss(const im_real *p, const int32_t *labels, const size_t *rows, size_t n,
                        size_t k);

/* dp (n,k) is written, not added to. */
void im_teaching_grad(im_real *dp, const im_real *p, const int32_t *labels, const size_t *rows,
                      size_t n, size_t k);

#endif
