/* SPDX-License-Identifier: MIT
 *
 * Some of the rows of a frame, in the form for products. Row i is the one at places[i], or at
 * place i if places is NULL.
 */
#ifndef IM_LINEAR_ROWS_H
#define IM_LINEAR_ROWS_H

#include "linear/frame.h"

typedef struct im_rows {
    const im_frame *frame;
    const uint32_t *places; /* (n) or NULL */
    size_t n;
} im_rows;

/* What a thread needs to read rows. */
typedef struct im_rows_scratch {
    float *raw;      /* (d) */
    double *prepare; /* (d) */
} im_rows_scratch;

static inline size_t im_rows_place(const im_rows *rows, size_t i)
{
    return rows->places ? rows->places[i] : i;
}

/* The scaled row i: in the frame's copy if it keeps one, else read to room (d). */
static inline const im_real *im_rows_scaled(const im_rows *rows, size_t i, im_real *room,
                                            const im_rows_scratch *scratch)
{
    const im_frame *frame = rows->frame;
    const size_t place = im_rows_place(rows, i);
    if (frame->kept)
        return frame->kept + place * frame->d;
    im_frame_scaled(room, frame, place, scratch->raw, scratch->prepare);
    return room;
}

/* out (d) = the scaled row i. */
static inline void im_rows_copy(im_real *out, const im_rows *rows, size_t i,
                                const im_rows_scratch *scratch)
{
    im_frame_scaled(out, rows->frame, im_rows_place(rows, i), scratch->raw, scratch->prepare);
}

#endif
