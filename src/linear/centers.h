/* SPDX-License-Identifier: MIT
 *
 * The centers of k-means, laid out for products with rows: in panels of IM_GEMM_NR columns.
 * What is nearest to a row x is the center of the highest score
 *
 *     s(x, c) = x . c - |c|^2 / 2            |x - c|^2 = |x|^2 - 2 s(x, c)
 *
 * Which center is in which column is up to the layout: centers near to one another share a
 * panel, so that a row is far from most panels as a whole. A center keeps its number, which
 * decides between centers that are equally near. Columns to fill up the last panel have a
 * score of -infinity.
 *
 * A slot is a part of a panel for which rows have one bound in common (assign.h): `width`
 * columns, those that are equal modulo the slots of a panel.
 */
#ifndef IM_LINEAR_CENTERS_H
#define IM_LINEAR_CENTERS_H

#include "core/gemm.h"
#include "core/status.h"

#include <stdint.h>

typedef struct im_centers {
    size_t k, d, panels, columns; /* columns: those of all panels */
    size_t width, slots;          /* columns of a slot; slots of a panel */
    uint32_t *number;             /* (columns): of the center there; those without: k and on */
    uint32_t *column;             /* (k): of each center */
    im_real *at;                  /* (columns,d): the centers, scaled as the rows are */
    im_real *packed;              /* (d,columns): the same, packed as a right factor */
    im_real *half;                /* (columns): |c|^2 / 2; infinite: there is no center */
    float *drift;                 /* (columns): how far it moved last, or a little more */
    float *slot_drift;            /* (panels,slots): the farthest of a slot */
    double reach;                 /* the largest |c|, or a little more */
    struct im_ranked *ranked;     /* (k): scratch of im_centers_start() */
    void *memory;                 /* owned */
} im_centers;

imsat_status im_centers_new(im_centers *out, size_t k, size_t d, imsat_error *err);
void im_centers_clear(im_centers *centers);

/* Begin with the centers start (k,d), which decide on the columns. */
void im_centers_start(im_centers *centers, const im_real *start);

/* Move the center of a column to `to` (d), or nowhere if that is NULL. */
void im_centers_move(im_centers *centers, size_t column, const double *to);

/* After the centers of a panel were moved: what follows from them. Panels are independent. */
void im_centers_pack(im_centers *centers, size_t panel);

/* After all panels were packed. */
void im_centers_settle(im_centers *centers);

#endif
