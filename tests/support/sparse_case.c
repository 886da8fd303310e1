/* SPDX-License-Identifier: MIT
 * See sparse_case.h. */
#include "sparse_case.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "support.h"

#include <stdbool.h>

/* A number that depends on its arguments alone. */
static uint32_t word_of(uint32_t stream, size_t i, size_t j)
{
    uint32_t word[4];
    im_rng_block(word, (im_rng){stream, IM_STREAM_INIT, 0, 0}, (uint32_t)i, (uint32_t)j);
    return word[0];
}

/* Three in four of a row's elements are where its group has them. */
static float value_of(size_t i, size_t j, uint32_t every, size_t groups)
{
    const bool own = word_of(1, i, j) % 4 == 0;
    const uint32_t place = own ? word_of(2, i, j) : word_of(3, i % groups, j);
    return place % every ? 0 : 0.25F + (float)(word_of(4, i, j) >> 8) * 0x1p-24F;
}

void sparse_case_make(sparse_case *out, size_t rows, size_t dim, uint32_t every, size_t groups)
{
    imsat_error err;
    sparse_case c = {.rows = rows, .dim = dim};
    size_t count = 0;
    c.x = im_alloc(rows * dim, sizeof *c.x);
    c.indptr = im_alloc(rows + 1, sizeof *c.indptr);
    c.indices = im_alloc(rows * dim, sizeof *c.indices);
    c.values = im_alloc(rows * dim, sizeof *c.values);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < dim; j++) {
            const float x = c.x[i * dim + j] = value_of(i, j, every, groups);
            c.indices[count] = (int32_t)j;
            c.values[count] = x;
            count += x > 0;
        }
        c.indptr[i + 1] = (int64_t)count;
    }
    assert_ok(imsat_data_csr(&c.sparse, c.indptr, c.indices, c.values, rows, dim, &err), &err);
    assert_ok(imsat_data_view(&c.dense, c.x, rows, dim, dim, &err), &err);
    *out = c;
}

void sparse_case_clear(sparse_case *made)
{
    imsat_data_free(made->sparse);
    imsat_data_free(made->dense);
    im_free(made->x);
    im_free(made->indptr);
    im_free(made->indices);
    im_free(made->values);
    *made = (sparse_case){0};
}
