/* SPDX-License-Identifier: MIT
 *
 * What a model of clusters remembers of its training data: of each cluster the mean of its
 * rows, and how far from it they are, typically, all of prepared rows.
 *
 *     mean_c = mean of x in c        scale_c = root of the mean of |x - mean_c|^2 over x in c
 *
 * The distance of a row from the training data is |x - mean_c| / scale_c, with c its label:
 * about 1 for a row like those that were seen, 3 and more for one unlike them. The nearest row
 * of the training data would say more, but then the model would have to hold all of them; this
 * is as large as a layer of k units. A network that was sure of a row far from all that it has
 * seen tells by its probability only how sure it was.
 */
#ifndef IM_MODEL_REFERENCE_H
#define IM_MODEL_REFERENCE_H

#include "data/preprocess.h"
#include "data/safetensors.h"

typedef struct im_reference {
    size_t k, dim; /* k is 0 if there is none */
    float *mean;   /* (k,dim) owned */
    float *scale;  /* (k) owned; 0: it has no rows, or all are the same */
} im_reference;

/* Of all rows, by the labels (rows) that the model gave them. Sums are in the order of the
 * rows, on this thread. */
imsat_status im_reference_learn(im_reference *out, const imsat_data *data,
                                const im_preprocess *pre, const int32_t *labels, size_t k,
                                imsat_error *err);
void im_reference_clear(im_reference *reference);

/* Of a prepared row (dim) with this label. Where the scale is 0, it is 0 or infinite. */
float im_reference_distance(const im_reference *reference, const float *row, int32_t label);

/* In a file: the record, the tensors, which the file borrows, and back; a file may have none.
 */
imsat_status im_reference_record(im_safetensors *record, const im_reference *reference,
                                 imsat_error *err);
imsat_status im_reference_add(im_safetensors *file, const im_reference *reference,
                              imsat_error *err);
imsat_status im_reference_load(im_reference *out, const im_safetensors *file, const char *path,
                               size_t k, size_t dim, imsat_error *err);

#endif
