/* SPDX-License-Identifier: MIT
 *
 * The information terms of hash codes (section 3.4 of the paper), over a batch of n rows and
 * D bits. p (D,n) is the probability of 1, q = 1 - p; h is the entropy of one bit.
 *
 *     sum_d H(Y_d|X) = 1/n sum_di h(p_di)                   conditional entropy
 *     m_d            = 1/n sum_i p_di                       marginal of a bit, section 3.5
 *     sum_d H(Y_d)   = sum_d h(m_d)                         marginal entropy
 *     J_de           = 1/n sum_i p_di p_ei                  p(y_d = 1, y_e = 1)
 *     sum_{d != e} I(Y_d;Y_e)                               ordered pairs: each pair counts
 *                                                           twice, as in eq. 14
 *
 * Training minimizes  lambda (sum_d H(Y_d|X) - sum_d H(Y_d) + sum_{d != e} I(Y_d;Y_e)).
 *
 * J comes of one product, P P^T. The other three cells of a pair's table follow from it and
 * the marginals: m_d - J, m_e - J, 1 - m_d - m_e + J. The gradient is one product more:
 *
 *     dI = G P + g 1^T,   G_de = 2 dI(Y_d;Y_e)/dJ_de,   g_d = 2 sum_e dI(Y_d;Y_e)/dm_d
 *
 * So a batch costs O(n D^2) multiplications and O(D^2 + n D) logarithms. Bits are cut into
 * blocks of fixed size, each a task; sums over bits are taken in order at the end. Sums are
 * in double; logarithms have the floor of floor.h, J as well as m_d m_e.
 */
#ifndef IM_OBJECTIVE_BIT_INFO_H
#define IM_OBJECTIVE_BIT_INFO_H

#include "core/gemm.h"
#include "core/status.h"
#include "core/threads.h"
#include "objective/bit_sat.h"

typedef struct im_bit_terms {
    double cond_entropy, marg_entropy, pair_info; /* sums over bits; over ordered pairs */
} im_bit_terms;

/* Workspace; also the results that the functions below hand to each other. */
typedef struct im_bit_info {
    size_t bits, batch; /* D; the most rows */
    im_pool *pool;      /* borrowed */
    const im_gemm_kernel *kernel;
    double *one, *zero;    /* (D) sums of p, of q over the batch */
    double *cond;          /* (D) sum of h(p) */
    double *pair;          /* (D) sum of I(Y_d;Y_e) over e > d */
    im_real *joint;        /* (D,D) sums of p_d p_e; on and above the diagonal */
    im_real *pull, *slope; /* (D,D) dI/dJ_de, and dI/dm_d */
    im_real *dp;           /* (D,n) gradient to p, under construction */
    im_real *packed;       /* right-hand side of the product under way */
    im_real **scratch;     /* [threads] of gemm */
    void *memory;          /* what the arrays are carved from */
} im_bit_info;

imsat_status im_bit_info_new(im_bit_info *out, size_t bits, size_t batch, im_pool *pool,
                             const im_gemm_kernel *kernel, imsat_error *err);
void im_bit_info_clear(im_bit_info *info);

/* The batch's sums: one, zero, cond, joint. p (D,n). */
void im_bit_info_measure(im_bit_info *info, im_bit_proba p, size_t n);

/* The terms of what was measured; keeps what the gradient needs. */
im_bit_terms im_bit_info_terms(im_bit_info *info, size_t n);

/* dz (D,ldz), the gradient of  weight (cond_entropy - marg_entropy + pair_info)  to the
 * logits. After measure and terms, once. */
void im_bit_info_grad(im_bit_info *info, im_real *dz, size_t ldz, im_bit_proba p,
                      double weight, size_t n);

/* Sums of many batches, for the terms over a whole data set. */
typedef struct im_bit_totals {
    size_t bits;
    double rows, cond;
    double *one, *zero; /* (D) */
    double *joint;      /* (D,D) above the diagonal */
    void *memory;
} im_bit_totals;

imsat_status im_bit_totals_new(im_bit_totals *out, size_t bits, imsat_error *err);
void im_bit_totals_clear(im_bit_totals *totals);
void im_bit_totals_add(im_bit_totals *totals, const im_bit_info *measured, size_t n);
im_bit_terms im_bit_totals_terms(const im_bit_totals *totals);

#endif
