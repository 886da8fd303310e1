/* SPDX-License-Identifier: MIT
 *
 * The directions in which the rows of a frame vary most about its center, found on a sample
 * of them by subspace iteration:
 *
 *     p = V x        V (m,d), rows orthogonal, of length just below 1:   |V z| <= |z|
 *
 * The rows of V turn towards the eigenvectors of the covariance, largest variance first. Three
 * rounds do for the space that they span together; to tell directions of nearly the same
 * variance from each other takes many.
 */
#ifndef IM_LINEAR_PCA_H
#define IM_LINEAR_PCA_H

#include "linear/frame.h"

typedef struct im_pca {
    size_t d, m;
    im_real *directions; /* (m,d) owned: V; rows of 0 if the sample has fewer directions */
    im_real *packed;     /* (d,m) owned: V^T, packed as the right factor of im_gemm() */
    double *variance;    /* (m) owned: the mean of p_i^2 over the sample */
    double total;        /* the mean of |x|^2 over the sample */
} im_pca;

/* m directions (1 to d) from at most `sample` rows, evenly spread, in `rounds` >= 1. O(rounds
 * sample m d) by matrix products and O(rounds m^2 d) for the rest, on this thread. stage, here
 * and below: may be NULL. */
imsat_status im_pca_fit(im_pca *out, const im_frame *frame, size_t m, size_t sample,
                        size_t rounds, const im_stage *stage, imsat_error *err);
void im_pca_clear(im_pca *pca);

/* out (n,m) = V x of all rows of the frame, by place. */
imsat_status im_pca_project(im_real *out, const im_pca *pca, const im_frame *frame,
                            im_pool *pool, const im_stage *stage, imsat_error *err);

#endif
