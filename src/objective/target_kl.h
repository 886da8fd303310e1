/* SPDX-License-Identifier: MIT
 *
 * Deep embedded clustering (Xie et al. 2016): the soft assignments q of codes z to centers c
 * (nn/student.h) are drawn towards a sharper target p that is made of them and then held,
 *
 *     p_ij = (q_ij^2 / f_j) / sum_l (q_il^2 / f_l)        f_j = sum_i q_ij, over all rows
 *     L = 1/n sum_ij p_ij log(p_ij / q_ij)                n rows of a batch
 *
 *     dz_i =  2/n sum_j (p_ij - q_ij) (z_i - c_j) / (1 + |z_i - c_j|^2)
 *     dc_j = -2/n sum_i (p_ij - q_ij) (z_i - c_j) / (1 + |z_i - c_j|^2)
 *
 * (docs/theory.md). Codes are units x batch: unit u of row i is z[u * ldz + i].
 *
 * Prefixes: im_target_.
 */
#ifndef IM_OBJECTIVE_TARGET_KL_H
#define IM_OBJECTIVE_TARGET_KL_H

#include "core/real.h"

#include <stddef.h>

/* q (n,k) becomes p in place; shares (k) receives f. */
void im_target_sharpen(im_real *q, double *shares, size_t n, size_t k);

/* sum_ij p_ij log(p_ij / q_ij), p and q (n,k). */
double im_target_kl(const im_real *p, const im_real *q, size_t n, size_t k);

typedef struct im_target_codes {
    const im_real *z; /* (m,ldz) */
    size_t ldz;
    const im_real *centers; /* (k,m) */
    const im_real *sq;      /* (k,ldz) squared distances */
    const im_real *p, *q;   /* (n,k) */
    size_t n, m, k;
} im_target_codes;

/* The gradients of L: dz (m,lddz) and dc (k,m). */
void im_target_kl_grad(im_real *dz, size_t lddz, im_real *dc, const im_target_codes *codes);

#endif
