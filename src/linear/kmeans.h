/* SPDX-License-Identifier: MIT
 *
 * K-means: k centers c that make the inertia small,
 *
 *     inertia = sum over rows x of min over c of |x - c|^2
 *
 * by the iteration of Lloyd: each row belongs to the nearest center (assign.h), and each
 * center moves to the mean of its rows (sums.h). Starts are drawn by greedy k-means++
 * (kmeans_seed.h); of several restarts the one of the lowest inertia is kept. The same result,
 * to the bit, for any number of threads.
 *
 * Rows come from a frame and are read in every pass: let it keep a copy (im_frame_keep) if
 * there is memory for it. Beside it a row takes 32 bytes, 4 more for each candidate of the
 * start, and 4 for each bound: k of them for up to 32 centers, else one for 32 centers; above
 * 1 GiB there are none.
 */
#ifndef IM_LINEAR_KMEANS_H
#define IM_LINEAR_KMEANS_H

#include "core/stage.h"
#include "core/status.h"
#include "linear/rows.h"

#include <stdbool.h>

typedef struct im_kmeans_options {
    size_t k;          /* clusters, from 1 to the number of rows */
    size_t restarts;   /* from 1 on; with `start`, all but the first would be the same */
    size_t iterations; /* how often the centers of a restart move at most, from 1 on */
    double tolerance;  /* stop when the sum of the squared moves of the centers is at most this
                          times the mean variance of the columns; 0: when no row changes its
                          cluster */
    uint64_t seed;
    const float *start; /* (k,d): centers to start from, as prepared rows; NULL: drawn */
    bool repair_empty;  /* a center without rows goes to the row farthest from its own center;
                           else it stays where it is */
    bool all_products;  /* leave no product out: slower, with the same result */
} im_kmeans_options;

/* What one uses, for k clusters: 12 restarts of at most 300 iterations, tolerance 1e-4. */
im_kmeans_options im_kmeans_defaults(size_t k, uint64_t seed);

typedef struct im_kmeans {
    size_t n, k, d;
    double *centers;   /* (k,d) owned: as prepared rows */
    int32_t *labels;   /* (n) owned: the cluster of each row */
    double inertia;    /* of the prepared rows, in double */
    size_t iterations; /* how often the centers moved */
    size_t restart;    /* which one was kept, from 0 on */
    size_t empty;      /* clusters without rows, as there are when fewer than k rows differ */
    bool converged;    /* false: iterations ran out */
} im_kmeans;

/* Cluster rows of a frame. Centers follow the rows up to the last iteration; the labels are
 * those of the nearest centers then, and of equally near ones the lowest.
 *
 * If fewer than k rows are different the inertia is 0 and `empty` clusters have no rows; their
 * centers are copies of others.
 *
 * IMSAT_EINVAL: k, restarts or iterations out of range, start not finite or far from the rows;
 * IMSAT_ENOMEM; IMSAT_ESTOPPED. Then out is as it was. stage may be NULL. */
imsat_status im_kmeans_fit(im_kmeans *out, const im_rows *rows,
                           const im_kmeans_options *options, im_pool *pool,
                           const im_stage *stage, imsat_error *err);
void im_kmeans_clear(im_kmeans *result);

#endif
