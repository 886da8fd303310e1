/* SPDX-License-Identifier: MIT
 *
 * The sums of the rows of each cluster, in integers: a coordinate, at most 1 in a scaled row,
 * is rounded to a multiple of a unit, so small that it is far below what float resolves in the
 * largest coordinates, and so large that n of them fit into 64 bits. Integer sums do not
 * depend on their order. So only rows that change their cluster need to be added and
 * subtracted, by any number of threads, and the sum is the same, to the bit, as if all rows
 * were added again.
 */
#ifndef IM_LINEAR_SUMS_H
#define IM_LINEAR_SUMS_H

#include "linear/rows.h"

typedef struct im_sums {
    im_rows rows;
    size_t clusters;
    double unit;            /* a power of two */
    int64_t *sum;           /* (clusters,d) owned */
    size_t *count;          /* (clusters) owned: rows of each */
    uint32_t *cluster;      /* (n) owned: the cluster in whose sum the row is; or UINT32_MAX */
    unsigned char *changed; /* (clusters) owned: changed since the caller cleared it */
    uint32_t *list;         /* (n) owned: rows that change, by cluster */
    size_t *start;          /* (clusters + 1) owned: where those of each begin */
    im_real *room;          /* (threads,d) owned */
    im_rows_scratch *read;  /* (threads) owned */
    void *memory;           /* owned: of the scratch */
} im_sums;

imsat_status im_sums_new(im_sums *out, const im_rows *rows, size_t clusters, im_pool *pool,
                         imsat_error *err);
void im_sums_clear(im_sums *sums);

/* No row is in any sum. */
void im_sums_reset(im_sums *sums);

/* Let the sums be those of the clusters cluster (n). *changed: how many rows were of another
 * one before. stage: may be NULL; after a stop the sums are of no use. */
imsat_status im_sums_follow(size_t *changed, im_sums *sums, const uint32_t *cluster,
                            im_pool *pool, const im_stage *stage, imsat_error *err);

/* mean (d) of a cluster that has rows. */
void im_sums_mean(double *mean, const im_sums *sums, size_t cluster);

#endif
