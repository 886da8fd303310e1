/* SPDX-License-Identifier: MIT
 *
 * Coarse cells: each row belongs to the nearest of some centers, found by k-means on a sample
 * of the rows. Rows are put in the order of their cells, so that a cell is a run of places.
 *
 * A cell that is many times larger than the mean is cut into pieces, which are cells with the
 * same center: no cell has more than IM_CELLS_LARGEST times the mean, whatever the data (equal
 * rows all belong together), and so what it costs to look into a cell is bounded.
 */
#ifndef IM_NEIGHBORS_CELLS_H
#define IM_NEIGHBORS_CELLS_H

#include "core/stage.h"
#include "linear/tile.h"

enum {
    IM_CELLS_LARGEST = 8,
    IM_CELLS_MOST = 50000 /* centers; with the pieces they are numbered by 16 bits */
};

typedef struct im_cells {
    size_t count, d;
    im_real *packed; /* (d, count) owned: the scaled centers, packed as a right factor */
    float *sq_norm;  /* (count, padded) owned: squared norms of the centers */
    size_t *start;   /* (count + 1) owned: the places of cell c are start[c] .. start[c+1]-1 */
} im_cells;

/* About `wanted` cells (1 to IM_CELLS_MOST, at most n) of the rows of a frame without an
 * order, which gets one. In a cell, rows ascend. The same for any number of threads. */
imsat_status im_cells_new(im_cells *out, im_frame *frame, size_t wanted, im_pool *pool,
                          const im_stage *stage, imsat_error *err);
void im_cells_clear(im_cells *cells);

/* nearest[i] (count, wanted) = the cells whose centers are nearest to the row at places[i] (or
 * at place i, if places is NULL), nearest first, equally near ones by number. Not those up to
 * the pair after[i], which then becomes the pair of the last one: a call goes on where the one
 * before ended. after: (count), 0 at first, or NULL: from the first. There must be as many. */
imsat_status im_cells_nearest(uint16_t *nearest, size_t wanted, uint64_t *after,
                              const im_cells *cells, const im_frame *frame,
                              const uint32_t *places, size_t count, im_pool *pool,
                              const im_stage *stage, imsat_error *err);

#endif
