/* SPDX-License-Identifier: MIT
 * Random data of which most is 0, once as sparse rows and once with the zeros. */
#ifndef TESTS_SPARSE_CASE_H
#define TESTS_SPARSE_CASE_H

#include "imsat/imsat.h"

typedef struct sparse_case {
    size_t rows, dim;
    float *x;         /* (rows,dim) owned, as are the next three */
    int64_t *indptr;  /* (rows + 1) */
    int32_t *indices; /* as many as are not 0 */
    float *values;
    imsat_data *sparse, *dense; /* owned */
} sparse_case;

/* One value in `every` is not 0. Rows belong to `groups` groups, i to i % groups, which have
 * most of their columns in common. */
void sparse_case_make(sparse_case *out, size_t rows, size_t dim, uint32_t every,
                      size_t groups);
void sparse_case_clear(sparse_case *made);

#endif
