/* SPDX-License-Identifier: MIT
 *
 * Sparse rows in memory (compressed sparse rows): of each row the elements that are not zero,
 * their columns ascending, as float. 8 bytes an element and 8 a row.
 *
 *     row i    column[start[i]] .. column[start[i + 1] - 1], and value[] likewise
 *
 * A zero may be among the elements; it counts as one that is not there.
 */
#ifndef IM_DATA_CSR_H
#define IM_DATA_CSR_H

#include "core/pile.h"
#include "core/status.h"

#include <stdint.h>

typedef struct im_csr {
    size_t rows, dim;
    const int64_t *start;  /* (rows + 1), from 0 on */
    const int32_t *column; /* (start[rows]) in [0, dim) */
    const float *value;    /* (start[rows]) finite */
    size_t longest;        /* elements of the longest row */
    void *owned[3];        /* the three arrays, if they are ours */
} im_csr;

/* One row. */
typedef struct im_csr_row {
    const int32_t *column; /* (count) */
    const float *value;    /* (count) */
    size_t count;
} im_csr_row;

static inline im_csr_row im_csr_at(const im_csr *csr, size_t row)
{
    const size_t first = (size_t)csr->start[row];
    return (im_csr_row){csr->column + first, csr->value + first,
                        (size_t)csr->start[row + 1] - first};
}

/* Rows over arrays of the caller, which stay his: what is not as above is refused. `name`
 * begins messages. */
imsat_status im_csr_view(im_csr *out, const int64_t *start, const int32_t *column,
                         const float *value, size_t rows, size_t dim, const char *name,
                         imsat_error *err);
void im_csr_clear(im_csr *csr);

/* Multiply all elements, of rows that are not a view. */
void im_csr_scale(im_csr *csr, float factor);

/* out (count) = columns first .. first + count - 1 of a row, the zeros too. */
void im_csr_floats(float *out, const im_csr *csr, size_t row, size_t first, size_t count);
void im_csr_doubles(double *out, const im_csr *csr, size_t row, size_t first, size_t count);

/* ---- for readers: rows that come one after another --------------------------------- */

typedef struct im_csr_entry {
    int32_t column;
    float value;
} im_csr_entry;

typedef struct im_csr_builder {
    im_pile entries;   /* im_csr_entry of the rows that are done */
    im_pile counts;    /* uint32_t: how many elements each row has */
    im_csr_entry *row; /* (room) owned: of the row under way, in the order they came */
    size_t count, room;
    size_t columns, longest; /* one more than the largest column so far; the longest row */
} im_csr_builder;

void im_csr_begin(im_csr_builder *builder);
imsat_status im_csr_add(im_csr_builder *builder, int32_t column, float value,
                        imsat_error *err);

/* The row under way has ended. Its elements may have come in any order; a column that comes
 * twice is refused. `where` begins the message: a file and a line; base: the number that the
 * file has for the first column. */
imsat_status im_csr_end_row(im_csr_builder *builder, const char *where, int32_t base,
                            imsat_error *err);

/* All rows have ended. dim: at least builder->columns. The builder is empty afterwards. */
imsat_status im_csr_finish(im_csr *out, im_csr_builder *builder, size_t dim, imsat_error *err);
void im_csr_builder_clear(im_csr_builder *builder);

/* Columns of rows that were built count from 1, and there is no column 0: count from 0. */
void im_csr_count_from_one(im_csr *csr);

/* ---- for readers: elements in any order -------------------------------------------- */

typedef struct im_csr_sorter {
    im_pile triplets; /* row, column and value of each */
    int64_t *start;   /* (rows + 1) owned: of row i, so far, the number of elements at i + 1 */
    size_t rows;
} im_csr_sorter;

/* For at most 2^32 rows. */
imsat_status im_csr_sort_begin(im_csr_sorter *sorter, size_t rows, imsat_error *err);
imsat_status im_csr_sort_add(im_csr_sorter *sorter, size_t row, int32_t column, float value,
                             imsat_error *err);

/* All elements are there. An element that comes twice is refused, rows and columns counted
 * from `base` on. The sorter is of no use afterwards. */
imsat_status im_csr_sort_finish(im_csr *out, im_csr_sorter *sorter, size_t dim,
                                const char *name, int base, imsat_error *err);
void im_csr_sort_clear(im_csr_sorter *sorter);

#endif
