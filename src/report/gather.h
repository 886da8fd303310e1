/* SPDX-License-Identifier: MIT
 *
 * What a model says of all rows of data, in one pass: the label of each and how sure it is,
 * the sizes of clusters, and of each cluster the rows that are worth a look:
 *
 *     typical      near rows of the training and sure; only sure where the model keeps none
 *     borderline   whose two largest probabilities differ least, and by less than 0.98
 *     strange      farthest from the rows of the training; none where the model keeps none
 *
 * Of codes a row is as sure as its bits are on average, and there are no clusters.
 */
#ifndef IM_REPORT_GATHER_H
#define IM_REPORT_GATHER_H

#include "core/stage.h"
#include "imsat/report.h"

#include <stdbool.h>

typedef enum im_gather_kind {
    IM_GATHER_TYPICAL,
    IM_GATHER_BORDERLINE,
    IM_GATHER_STRANGE,
    IM_GATHER_KINDS
} im_gather_kind;

enum { IM_GATHER_ROWS = 12 }; /* of a kind and a cluster, at most */

typedef struct im_gather_row {
    size_t row;
    float score;      /* the less the more of its kind */
    float confidence; /* in its cluster, or, if that is not known, its probability */
    float distance;   /* from the training data; 0: not known */
    int32_t other;    /* the cluster that is second to its own */
} im_gather_row;

typedef struct im_gather_list {
    size_t count;
    im_gather_row row[IM_GATHER_ROWS]; /* the best first */
} im_gather_list;

typedef struct im_gather {
    size_t n, outputs;
    bool hash;         /* outputs are bits */
    bool far_is_known; /* the model tells confidence and distances */
    double limit;      /* the distance of outliers */
    int32_t *labels;   /* (n) owned; of clusters, else NULL */
    float *confidence; /* (n) owned */
    size_t *sizes;     /* (outputs) owned: rows of a cluster, or with a bit set */
    double *sure;      /* (outputs) owned: mean confidence in a cluster; of bits 0 */
    im_gather_list (*lists)[IM_GATHER_KINDS]; /* (outputs) owned; of clusters, else NULL */
    size_t certain, doubtful, far;            /* rows: confidence >= 0.9, < 0.6; outliers */
    double mean;                              /* of the confidence */
} im_gather;

imsat_status im_gather_rows(im_gather *out, const imsat_model *model, const imsat_data *data,
                            int threads, const im_stage *stage, imsat_error *err);
void im_gather_clear(im_gather *gather);

#endif
