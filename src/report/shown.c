/* SPDX-License-Identifier: MIT
 * See shown.h. */
#include "report/shown.h"

#include "core/alloc.h"
#include "core/rng.h"

enum { COPY = 256 << 20 }; /* bytes of the copy, at most */

static int by_row(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static imsat_status draw_rows(im_shown *s, const imsat_data *data, uint64_t seed,
                              imsat_error *err)
{
    const im_rng rng = {seed, IM_STREAM_SAMPLE, 0, 0};
    s->rows = im_alloc(s->count, sizeof *s->rows);
    if (!s->rows)
        return im_fail_memory(err, "the rows of the map");
    for (size_t i = 0; i < s->count; i++)
        s->rows[i] = s->count == data->rows ? i : (size_t)im_rng_permute(i, data->rows, rng);
    qsort(s->rows, s->count, sizeof *s->rows, by_row);
    return IMSAT_OK;
}

static imsat_status copy_dense(im_shown *s, const imsat_data *data, imsat_error *err)
{
    s->values = im_alloc(s->count, data->dim * sizeof *s->values);
    if (!s->values)
        return im_fail_memory(err, "the rows of the map");
    for (size_t i = 0; i < s->count; i++)
        im_data_row(s->values + i * data->dim, data, s->rows[i]);
    return imsat_data_view(&s->data, s->values, s->count, data->dim, data->dim, err);
}

static imsat_status copy_sparse(im_shown *s, const imsat_data *data, imsat_error *err)
{
    size_t used = 0;
    for (size_t i = 0; i < s->count; i++)
        used += im_data_sparse_row(data, s->rows[i]).count;
    s->start = im_alloc(s->count + 1, sizeof *s->start);
    s->column = im_alloc(used, sizeof *s->column);
    s->element = im_alloc(used, sizeof *s->element);
    if (!s->start || !s->column || !s->element)
        return im_fail_memory(err, "the rows of the map");
    used = 0;
    for (size_t i = 0; i < s->count; i++) {
        const im_csr_row row = im_data_sparse_row(data, s->rows[i]);
        memcpy(s->column + used, row.column, row.count * sizeof *row.column);
        memcpy(s->element + used, row.value, row.count * sizeof *row.value);
        used += row.count;
        s->start[i + 1] = (int64_t)used;
    }
    return imsat_data_csr(&s->data, s->start, s->column, s->element, s->count, data->dim, err);
}

/* How many rows the copy may have. */
static size_t affordable(const imsat_data *data, bool sparse)
{
    const size_t longest = sparse ? 2 * im_data_longest(data) : data->dim;
    const size_t rows = COPY / sizeof(float) / (longest ? longest : 1);
    return rows < 2 ? 2 : rows;
}

imsat_status im_shown_draw(im_shown *out, const imsat_data *data, size_t most, uint64_t seed,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool sparse = im_data_is_sparse(data);
    im_shown s = {.count =
                      im_size_min(data->rows, im_size_min(most, affordable(data, sparse)))};
    IM_TRY(draw_rows(&s, data, seed, err));
    IM_TRY(sparse ? copy_sparse(&s, data, err) : copy_dense(&s, data, err));
    IM_TRY(im_data_check(data, 0, data->rows, IMSAT_OK, err));
    s.data->image = data->image;
    *out = s;
    s = (im_shown){0};

cleanup:
    im_shown_clear(&s);
    return st;
}

void im_shown_clear(im_shown *sample)
{
    imsat_data_free(sample->data);
    im_free(sample->rows);
    im_free(sample->values);
    im_free(sample->start);
    im_free(sample->column);
    im_free(sample->element);
    *sample = (im_shown){0};
}
