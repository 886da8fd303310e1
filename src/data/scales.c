/* SPDX-License-Identifier: MIT
 *
 * How far the columns of tables differ in scale: the largest of their ranges over the
 * smallest. The range is that of the values, and not their deviation, so that a category with
 * few rows, a column of 0 with some 1, is not taken for a small one.
 *
 * A table whose values are all whole numbers from 0 to 255 holds pixels, or counts as good as
 * them: there columns are of one scale, and those at the edge of a picture have small ranges.
 */
#include "core/alloc.h"
#include "data/dataset.h"

#include <math.h>

/* What is known of the columns so far. */
typedef struct ranges {
    double *least, *most; /* (dim) */
    bool bytes;           /* all values could be of uint8 */
} ranges;

static void take_row(ranges *r, const double *row, size_t dim)
{
    for (size_t j = 0; j < dim; j++) {
        r->least[j] = fmin(r->least[j], row[j]);
        r->most[j] = fmax(r->most[j], row[j]);
        r->bytes &= row[j] >= 0 && row[j] <= 255 && floor(row[j]) == row[j];
    }
}

static void compare(const ranges *r, size_t dim, size_t *narrow, size_t *wide, double *ratio)
{
    double smallest = INFINITY, largest = 0;
    for (size_t j = 0; j < dim; j++) {
        const double range = r->most[j] - r->least[j];
        if (range > largest) {
            largest = range;
            *wide = j;
        }
        if (range > 0 && range < smallest) {
            smallest = range;
            *narrow = j;
        }
    }
    *ratio = largest > 0 && !r->bytes ? largest / smallest : 1;
}

static bool is_table(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (!data->blocks[b].cells)
            return false;
    return true;
}

imsat_status imsat_data_scales(size_t *narrow, size_t *wide, double *ratio,
                               const imsat_data *data, imsat_error *err)
{
    IM_REQUIRE(narrow);
    IM_REQUIRE(wide);
    IM_REQUIRE(ratio);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    const size_t dim = data->dim;
    *narrow = *wide = 0;
    *ratio = 1;
    if (!is_table(data) || data->image.height)
        return IMSAT_OK;
    double *row = im_alloc(dim, sizeof *row);
    ranges r = {im_alloc(dim, sizeof *r.least), im_alloc(dim, sizeof *r.most), true};
    if (!row || !r.least || !r.most) {
        st = im_fail_memory(err, "the ranges of columns");
        goto cleanup;
    }
    for (size_t j = 0; j < dim; j++)
        r.least[j] = r.most[j] = im_data_value(data, 0, j);
    for (size_t b = 0; b < data->nblocks; b++)
        for (size_t i = 0; i < data->blocks[b].rows; i++) {
            im_block_doubles(row, &data->blocks[b], i, 0, dim);
            take_row(&r, row, dim);
        }
    compare(&r, dim, narrow, wide, ratio);

cleanup:
    im_free(row);
    im_free(r.least);
    im_free(r.most);
    return st;
}
