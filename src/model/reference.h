/* SPDX-License-Identifier: MIT
 *
 * What a model of clusters remembers of its training data, so that it can tell later how far a
 * row's label is to be trusted, and whether the row is like any that was seen. It holds a
 * sample of the prepared rows, x_1 .. x_m, and of each
 *
 *     radius_j    sigma_t: the distance to the 10th nearest of the others, copies of it aside
 *     share_jc    what part of the runs had row j in cluster c (votes.h)
 *
 * From these, of any prepared row x (docs/theory.md, section 32):
 *
 *     distance    the mean of |x - x_j| / radius_j over the 3 nearest x_j
 *     near        the sqrt(m) nearest x_j, less those beyond twice the distance of the 10th
 *     confidence in c    the mean of p_c(x) and of share_jc over the near x_j
 *
 * Where clusters have few rows, all three numbers are at most m / 2k.
 *
 * One x_j that equals x does not count: so a row of the training data is judged by the others,
 * by the same rule as any row. A row is an outlier if its distance is above `limit`, which one
 * in a hundred of the x_j themselves is; the confidence in its label is that of chance, 1 / k.
 */
#ifndef IM_MODEL_REFERENCE_H
#define IM_MODEL_REFERENCE_H

#include "core/threads.h"
#include "data/preprocess.h"
#include "data/safetensors.h"
#include "model/votes.h"

/* The rows that are kept: all, or so many that they have at most this many values, but at
 * least the least. A sample of 2,048 rows of the digits takes 0.6 MB. */
enum {
    IM_REFERENCE_MOST = 2048,
    IM_REFERENCE_VALUES = 1 << 20,
    IM_REFERENCE_LEAST = 32,
};

typedef struct im_reference {
    size_t rows, dim, k; /* rows is 0 if there is none */
    float *row;          /* (rows,dim) owned, prepared */
    float *radius;       /* (rows) owned; 0: all rows are the same */
    float *share;        /* (rows,k) owned */
    float limit;         /* the distance above which a row is an outlier */
} im_reference;

/* Of the training data. Threads do not change it. */
imsat_status im_reference_learn(im_reference *out, const im_votes *votes, im_pool *pool,
                                imsat_error *err);
void im_reference_clear(im_reference *reference);

/* How many of so many rows are kept. */
size_t im_reference_size(size_t rows, size_t dim);

/* Scratch of one thread: pairs of a distance and a kept row (linear/keep.h). */
size_t im_reference_room(const im_reference *reference);

/* What is said of a row. */
typedef struct im_reference_opinion {
    float distance;   /* may be infinite */
    float confidence; /* in the label that was given */
} im_reference_opinion;

/* Of a prepared row (dim) with this label, whose probability is p. nearest:
 * (im_reference_room). */
im_reference_opinion im_reference_judge(const im_reference *reference, const float *row,
                                        int32_t label, float p, uint64_t *nearest);

/* In a file: the record, the tensors, which the file borrows, and back; a file may have none.
 */
imsat_status im_reference_record(im_safetensors *record, const im_reference *reference,
                                 imsat_error *err);
imsat_status im_reference_add(im_safetensors *file, const im_reference *reference,
                              imsat_error *err);
imsat_status im_reference_load(im_reference *out, const im_safetensors *file, const char *path,
                               size_t k, size_t dim, imsat_error *err);

#endif
