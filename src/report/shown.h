/* SPDX-License-Identifier: MIT
 *
 * Some rows of data, drawn at random, as data of their own: those of the map, and those that
 * columns are described by. Sparse rows stay sparse.
 */
#ifndef IM_REPORT_SHOWN_H
#define IM_REPORT_SHOWN_H

#include "data/dataset.h"

typedef struct im_shown {
    size_t count;
    size_t *rows;     /* (count) owned: ascending */
    imsat_data *data; /* owned: row i is rows[i] of the data it was drawn from */
    float *values;    /* (count,dim) owned; of dense rows */
    int64_t *start;   /* (count + 1), and the next two: owned; of sparse rows */
    int32_t *column;
    float *element;
} im_shown;

/* At most `most` rows, and fewer of rows so long that their copy would take more than 256 MB;
 * all, if there are no more. */
imsat_status im_shown_draw(im_shown *out, const imsat_data *data, size_t most, uint64_t seed,
                           imsat_error *err);
void im_shown_clear(im_shown *sample);

#endif
