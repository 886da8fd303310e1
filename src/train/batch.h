/* SPDX-License-Identifier: MIT
 *
 * A mini-batch: which rows of the data a step sees. Two rules draw from a random permutation
 * that is computed, not stored (im_rng_permute), so any step of any epoch can be drawn at once
 * and a resumed run needs no memory of what came before.
 *
 *     by epoch   a permutation per epoch, cut into ceil(n / B) batches whose sizes differ by
 *                at most one: every row exactly once, and no small rest to normalize over
 *     afresh     a permutation per step, its first B rows; floor(n / B) steps an epoch (the
 *                authors' code)
 */
#ifndef IM_TRAIN_BATCH_H
#define IM_TRAIN_BATCH_H

#include "core/alloc.h"
#include "core/threads.h"

#include <stdint.h>

typedef struct im_batch {
    size_t total;     /* rows of the data */
    size_t most;      /* rows of a batch: B */
    bool fresh;       /* every step draws afresh */
    im_pool *pool;    /* borrowed */
    size_t n;         /* rows of this batch, at most B */
    size_t *rows;     /* (B) their numbers in the data */
    float *raw;       /* (B,d) as read, if an augmentation starts from there; else NULL */
    float *augmented; /* (B,d) T(x) before preprocessing; else NULL */
} im_batch;

/* Carve the arrays; raw and augmented, of `dim` columns, only if dim is not 0. */
void im_batch_lay_out(im_batch *batch, im_carver *carver, size_t dim);

/* How many steps an epoch has. */
size_t im_batch_steps(const im_batch *batch);

/* The rows of one step of an epoch of the run with this seed. */
void im_batch_draw(im_batch *batch, uint64_t seed, size_t epoch, size_t step_of_epoch);

/* Rows `first` on, as many as a batch has or are left: for passes over all data in order. */
void im_batch_take(im_batch *batch, size_t first);

#endif
