/* SPDX-License-Identifier: MIT
 *
 * The rows between which distances are taken, in two forms:
 *
 *     prepared  as the network sees them: float, preprocessed
 *     scaled    the same less a center (the mean of a sample of the rows), times a power of
 *               two that brings the largest coordinate near 1: for matrix products in float.
 *               Distances between rows far from the origin keep their digits, and data of any
 *               scale neither overflows nor vanishes.
 *
 * Of sparse data the center is what zeros become (data/sparse_rows.h): so scaled rows are
 * sparse, too, and products take the time of the elements that are not zero.
 *
 * Rows have places, 0 .. n - 1. Row i is at place i, unless an order puts it elsewhere. Rows
 * are read from the data whenever they are needed, since the data may be mapped and larger
 * than memory; a copy of all scaled rows is kept only on demand, and if it is small enough.
 */
#ifndef IM_LINEAR_FRAME_H
#define IM_LINEAR_FRAME_H

#include "core/gemm.h"
#include "core/real.h"
#include "core/stage.h"
#include "data/sparse_rows.h"

#include <stdint.h>

typedef struct im_frame {
    const imsat_data *data;
    const im_preprocess *pre;
    size_t n, d;
    double *center;        /* (d) owned */
    double factor;         /* the power of two */
    uint32_t *order;       /* (n) owned: the row at each place; NULL: row i at place i */
    im_real *kept;         /* (n,d) owned: the scaled rows by place; NULL: not kept */
    im_sparse_rows sparse; /* owned: of sparse data; without data: rows are not sparse */
} im_frame;

/* Find center and factor; reads all rows once. At most 2^32 - 1 rows. stage, here and below:
 * may be NULL. */
imsat_status im_frame_fit(im_frame *out, const imsat_data *data, const im_preprocess *pre,
                          im_pool *pool, const im_stage *stage, imsat_error *err);
void im_frame_clear(im_frame *frame);

/* The row at a place. */
size_t im_frame_row(const im_frame *frame, size_t place);

/* out (d) = the prepared row at a place; scratch: (d) doubles. */
void im_frame_prepared(float *out, const im_frame *frame, size_t place, double *scratch);

/* out (d) = the scaled row at a place. raw: (d) floats. */
void im_frame_scaled(im_real *out, const im_frame *frame, size_t place, float *raw,
                     double *scratch);

/* Whether scaled rows are sparse: then im_frame_sparse() has them without their zeros. */
static inline bool im_frame_is_sparse(const im_frame *frame)
{
    return frame->sparse.data != NULL;
}

/* The scaled row at a place. value: (d), its values, which must stay; raw: (d) floats. */
im_gemm_sparse im_frame_sparse(const im_frame *frame, size_t place, im_real *value,
                               float *raw);

/* Keep a copy of the scaled rows, by place, if it takes at most `budget` bytes: it saves a
 * jump to some far part of the data for each row that is read. Sparse rows are not kept: with
 * their zeros they would be many times larger. */
imsat_status im_frame_keep(im_frame *frame, size_t budget, im_pool *pool,
                           const im_stage *stage, imsat_error *err);

/* sq_norm (n) = squared norms of the scaled rows, by place. */
imsat_status im_frame_sq_norms(float *sq_norm, const im_frame *frame, im_pool *pool,
                               const im_stage *stage, imsat_error *err);

#endif
