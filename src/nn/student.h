/* SPDX-License-Identifier: MIT
 *
 * Soft assignment of codes z to centers c by Student's t distribution of one degree of freedom
 * (van der Maaten and Hinton 2008; Xie et al. 2016):
 *
 *     q_ij = (1 + |z_i - c_j|^2)^-1 / sum_l (1 + |z_i - c_l|^2)^-1
 *
 * The most probable center is the nearest. Codes are units x batch: unit u of row i is
 * z[u * ldz + i].
 */
#ifndef IM_NN_STUDENT_H
#define IM_NN_STUDENT_H

#include "core/real.h"

#include <stddef.h>

/* sq (k,ldsq) = |z_i - c_j|^2 of n codes of m numbers; centers (k,m). */
void im_student_sq_distances(im_real *sq, size_t ldsq, const im_real *z, size_t ldz,
                             const im_real *centers, size_t n, size_t m, size_t k);

/* q (n,k) from squared distances. */
void im_student_rows(im_real *q, const im_real *sq, size_t ldsq, size_t n, size_t k);

#endif
