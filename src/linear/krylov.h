/* SPDX-License-Identifier: MIT
 *
 * The largest eigenvalues of a symmetric operator that is only known by its products, and
 * their eigenvectors: those of a covariance, without the covariance, or of a graph.
 *
 *     A z = value z        the `want` largest, z of length 1, orthogonal to each other
 *
 * A space of vectors grows by the residuals A z - value z of the eigenvectors found in it, a
 * block of them at a time, and is cut down to the best of it when it has become large: block
 * Davidson's method without a preconditioner, whose spaces are those of a block Lanczos
 * iteration with thick restarts. It begins with more random vectors than eigenvectors are
 * wanted, so that one that is as large as `want` others is found that often: a graph of k
 * parts has k eigenvectors of the value 1.
 *
 * Vectors stay orthogonal to the last bit, because each is freed of all others twice. Small
 * operators are written out and go to linear/symmetric.h.
 */
#ifndef IM_LINEAR_KRYLOV_H
#define IM_LINEAR_KRYLOV_H

#include "core/stage.h"
#include "core/status.h"

#include <stdbool.h>

/* The most vectors that are multiplied at a time. */
enum { IM_KRYLOV_BLOCK = 8 };

/* y (count,n) = A x, a vector a row, at most IM_KRYLOV_BLOCK. Must have the same bits for any
 * number of threads. */
typedef imsat_status im_krylov_apply(void *context, double *y, const double *x, size_t count,
                                     const im_stage *stage, imsat_error *err);

typedef struct im_krylov_options {
    size_t n, want;   /* 1 <= want <= n */
    double tolerance; /* of the length of a residual, relative to the largest value */
    size_t rounds;    /* most blocks that the space grows by */
} im_krylov_options;

typedef struct im_krylov {
    size_t n, count;
    double *value;   /* (count) owned: the largest first */
    double *vectors; /* (count,n) owned */
    bool converged;  /* false: rounds ran out, and these are the best so far */
} im_krylov;

/* stage: may be NULL; it is heeded between the products. */
imsat_status im_krylov_find(im_krylov *out, const im_krylov_options *options,
                            im_krylov_apply *apply, void *context, const im_stage *stage,
                            imsat_error *err);
void im_krylov_clear(im_krylov *found);

#endif
