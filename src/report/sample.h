/* SPDX-License-Identifier: MIT
 *
 * Some rows of data, drawn at random, as data of their own: those of the map, and those that
 * columns are described by. Sparse rows stay sparse.
 */
#ifndef IM_REPORT_SAMPLE_H
#define IM_REPORT_SAMPLE_H

#include "data/dataset.h"

typedef struct im_sample {
    size_t count;
    size_t *rows;     /* (count) owned: ascending */
    imsat_data *data; /* owned: row i is rows[i] of the data it was drawn from */
    float *values;    /* (count,dim) owned; of dense rows */
    int64_t *start;   /* (count + 1), and the next two: owned; of sparse rows */
    int32_t *column;
    float *element;
} im_sample;

/* At most `most` rows, and fewer of rows so long that their copy would take more than 256 MB;
 * all, if there are no more. */
imsat_status im_sample_draw(im_sample *out, const imsat_data *data, size_t most, uint64_t seed,
                            imsat_error *err);
void im_sample_clear(im_sample *sample);

#endif
