/* SPDX-License-Identifier: MIT
 *
 * Candidates of rows from the cells nearest to them: each row is compared with the rows of
 * the P cells whose centers are nearest to it.
 *
 * In round r every row meets its r-th nearest cell. A task is a cell and rows that meet it,
 * one matrix product; a row is in one task of a round, so no two tasks write to the same row
 * and no locks are needed. What is kept does not depend on the order of the tasks.
 *
 * The time is O(P n m d) for cells of m rows. The nearest cells of a row are found some at a
 * time, so that the memory does not grow with P.
 */
#ifndef IM_NEIGHBORS_PROBE_H
#define IM_NEIGHBORS_PROBE_H

#include "neighbors/cells.h"

typedef struct im_probe_task im_probe_task;

typedef struct im_probe {
    const im_frame *frame;
    const im_cells *cells;
    const float *sq_norm;   /* (n, padded by IM_TILE_CHUNK) by place, the caller's */
    const uint32_t *places; /* (count) of the rows that seek, the caller's; NULL: all rows */
    size_t count, capacity;
    uint64_t *keys;       /* (count, capacity) owned: of each row a heap of pairs of
                             linear/keep.h; UINT32_MAX is none */
    size_t probed;        /* rounds done */
    size_t known, batch;  /* nearest has the cells of rounds known - batch .. known - 1 */
    uint16_t *nearest;    /* (count, batch) owned */
    uint64_t *after;      /* (count) owned: of im_cells_nearest() */
    uint32_t *queue;      /* (count) owned: numbers of the rows, by the cell of the round */
    size_t *begin;        /* (cells + 1) owned: where a cell's rows are in queue */
    im_probe_task *tasks; /* owned: of the round */
    size_t room;          /* most rows of a task, and columns that are packed at a time */
    im_tile_set tiles;
} im_probe;

/* The frame is in the order of the cells. */
imsat_status im_probe_new(im_probe *out, const im_frame *frame, const im_cells *cells,
                          const float *sq_norm, const uint32_t *places, size_t count,
                          size_t capacity, im_pool *pool, imsat_error *err);

/* Go on until each row has met its `rounds` nearest cells; at most cells->count. */
imsat_status im_probe_run(im_probe *probe, size_t rounds, im_pool *pool, const im_stage *stage,
                          imsat_error *err);

void im_probe_clear(im_probe *probe);

#endif
