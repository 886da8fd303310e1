/* SPDX-License-Identifier: MIT
 *
 * A mixture of k normals, fitted to the rows of a frame by expectation and maximization,
 *
 *     p(x) = sum over c of weight_c N(x; mean_c, S_c)
 *
 * S_c being a full matrix each, one for all, or a diagonal one each, with `regularization` on
 * its diagonal. In turns: the share r_ic that component c has in row i, by the log densities
 * and the log of their sum, so that nothing underflows; and the weights, means and covariances
 * of the rows by these shares. The likelihood never falls. It begins with labels, as those of
 * k-means.
 *
 * A component is kept as its mean and the inverse of the Cholesky factor of S_c: with S = L
 * L^T and A = L^-1 it is (x - mean)^T S^-1 (x - mean) = |A (x - mean)|^2.
 */
#ifndef IM_LINEAR_GAUSSIANS_H
#define IM_LINEAR_GAUSSIANS_H

#include "linear/frame.h"

typedef struct im_gaussians_options {
    size_t k;
    imsat_covariance covariance;
    double regularization; /* of scaled rows */
    size_t iterations;     /* most turns */
    double tolerance;      /* end when a turn gains at most this, in nats a row */
    const int32_t *start;  /* (n) labels, 0 to k - 1 */
} im_gaussians_options;

typedef struct im_gaussians {
    size_t k, d;
    imsat_covariance covariance;
    double *log_weight;    /* (k) owned */
    double *mean;          /* (k,d) owned: as scaled rows */
    double *whiten;        /* owned: A. (k,d,d), tied (d,d), diagonal (k,d) */
    double log_likelihood; /* mean over rows, of scaled rows */
    size_t iterations;     /* turns that were taken */
} im_gaussians;

/* IMSAT_EINVAL: a covariance is singular, and there is no regularization. The same bits for
 * any number of threads. stage may be NULL. */
imsat_status im_gaussians_fit(im_gaussians *out, const im_frame *frame,
                              const im_gaussians_options *options, im_pool *pool,
                              const im_stage *stage, imsat_error *err);
void im_gaussians_clear(im_gaussians *mixture);

/* A of a component. */
static inline const double *im_gaussians_whiten(const im_gaussians *g, size_t c)
{
    switch (g->covariance) {
    case IMSAT_COVARIANCE_FULL: return g->whiten + c * g->d * g->d;
    case IMSAT_COVARIANCE_DIAGONAL: return g->whiten + c * g->d;
    default: return g->whiten;
    }
}

/* The log of the weight and of the density at the mean: log weight + log det A - d/2 log 2 pi.
 */
double im_gaussians_peak(const im_gaussians *g, size_t c);

#endif
