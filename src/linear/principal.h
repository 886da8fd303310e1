/* SPDX-License-Identifier: MIT
 *
 * Principal components: the directions in which all rows of a frame vary most about their
 * mean, and how much,
 *
 *     C z = variance z,    C = 1/n sum over rows of (x - mean) (x - mean)^T
 *
 * by linear/krylov.h, to a residual of 1e-9 of the largest variance. C is never written down:
 * a product with it is a pass over the rows, so that rows may be long, sparse or too many for
 * memory. linear/pca.h has directions that are about the same, from a sample, at a fraction of
 * the cost; here they are told from each other.
 */
#ifndef IM_LINEAR_PRINCIPAL_H
#define IM_LINEAR_PRINCIPAL_H

#include "linear/frame.h"

typedef struct im_principal {
    size_t d, m;
    double *mean;       /* (d) owned: of the scaled rows */
    double *directions; /* (m,d) owned: of length 1, the largest variance first */
    double *variance;   /* (m) owned: of the scaled rows along them */
} im_principal;

/* m directions, 1 to d. The same bits for any number of threads. stage, here and below: may be
 * NULL. */
imsat_status im_principal_fit(im_principal *out, const im_frame *frame, size_t m,
                              im_pool *pool, const im_stage *stage, imsat_error *err);
void im_principal_clear(im_principal *principal);

/* mean (d) of the scaled rows, alone. */
imsat_status im_principal_mean(double *mean, const im_frame *frame, im_pool *pool,
                               const im_stage *stage, imsat_error *err);

/* out (n,m) = the scaled rows less their mean along the directions. */
imsat_status im_principal_project(im_real *out, const im_principal *principal,
                                  const im_frame *frame, im_pool *pool, const im_stage *stage,
                                  imsat_error *err);

#endif
