/* SPDX-License-Identifier: MIT
 *
 * The information terms of clustering (section 3.3 and appendix B of the paper), over a
 * batch of predictions p (n,k) whose rows sum to 1:
 *
 *     H(Y|X) = -1/n sum_ij p_ij log p_ij                    conditional entropy, eq. 9
 *     m_j    =  1/n sum_i p_ij                              marginal, section 3.5; or, of rows
 *               sum_i w_i p_ij / sum_i w_i                  that do not count alike
 *     H(Y)   = -sum_j m_j log m_j                           marginal entropy, eq. 8
 *     KL[m || q] = sum_j m_j (log m_j - log q_j)            to the prior q; log k - H(Y) when
 *                                                           q is uniform
 *
 * Training minimizes  lambda H(Y|X) + mu max(KL - delta, 0)  beside the regularizer. Sums are
 * in double; logarithms have the floor of floor.h. `grad` functions add to dp.
 *
 * Prefixes: im_cond_entropy_, im_marginal, im_marg_entropy, im_prior_kl_.
 */
#ifndef IM_OBJECTIVE_MUTUAL_INFO_H
#define IM_OBJECTIVE_MUTUAL_INFO_H

#include "core/real.h"

#include <stddef.h>

double im_cond_entropy_loss(const im_real *p, size_t n, size_t k);
void im_cond_entropy_grad(im_real *dp, const im_real *p, double weight, size_t n, size_t k);

/* w (n): what each row counts, above 0; NULL: all the same. */
void im_marginal(double *m, const im_real *p, const double *w, size_t n, size_t k);
double im_marg_entropy(const double *m, size_t k);

double im_prior_kl_loss(const double *m, const double *prior, size_t k);
/* target (k) = the entries of a prior, given largest first, each for the part of the marginal
 * that is as large among its own: the order for which KL[m || target] is least. Of equal parts
 * the first counts as the larger. */
void im_prior_kl_match(double *target, const double *m, const double *sorted, size_t k);

/* Of weight KL[m || prior]; m is the marginal with the same w. */
void im_prior_kl_grad(im_real *dp, const double *m, const double *prior, double weight,
                      const double *w, size_t n, size_t k);

#endif
