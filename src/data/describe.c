/* SPDX-License-Identifier: MIT
 *
 * What data is like, by one pass over its rows: range, mean and deviation, zeros, what is
 * missing, of all values and of each column; and how many rows have each label.
 *
 * Sums are of differences to the first value, so that the deviation of values far from zero
 * keeps its digits. Of sparse rows only the elements are looked at: their differences are to
 * zero, and all others are zeros.
 */
#include "imsat/describe.h"
#include "core/alloc.h"
#include "data/dataset.h"
#include "data/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values on their way to a summary. */
typedef struct tally {
    size_t seen, zeros, missing, infinite;
    double least, most;
    double from, sum, squares; /* of x - from */
} tally;

/* The pass. */
typedef struct pass {
    const imsat_data *data;
    bool sparse;
    tally all;
    tally *columns; /* (dim), or NULL */
    double *row;    /* (dim), or NULL if sparse */
} pass;

/* ---- values ---------------------------------------------------------------------- */

static tally tally_new(void)
{
    return (tally){.least = INFINITY, .most = -INFINITY, .from = NAN};
}

static void add(tally *t, double x)
{
    t->seen++;
    if (!isfinite(x)) {
        t->missing += isnan(x) ? 1 : 0;
        t->infinite += isnan(x) ? 0 : 1;
        return;
    }
    if (isnan(t->from))
        t->from = x;
    t->zeros += x == 0;
    t->least = x < t->least ? x : t->least;
    t->most = x > t->most ? x : t->most;
    t->sum += x - t->from;
    t->squares += (x - t->from) * (x - t->from);
}

/* All `count` values were seen, or are zeros of sparse rows. */
static imsat_values finish(tally t, size_t count)
{
    const size_t unseen = count - t.seen, finite = count - t.missing - t.infinite;
    if (unseen) {
        t.zeros += unseen;
        t.least = t.least < 0 ? t.least : 0;
        t.most = t.most > 0 ? t.most : 0;
    }
    const double n = (double)finite, mean = t.sum / n;
    const double variance = t.squares / n - mean * mean;
    imsat_values out = {.count = count,
                        .zeros = t.zeros,
                        .missing = t.missing,
                        .infinite = t.infinite,
                        .min = NAN,
                        .max = NAN,
                        .mean = NAN,
                        .deviation = NAN};
    if (finite) {
        out.min = t.least;
        out.max = t.most;
        out.mean = (isnan(t.from) ? 0 : t.from) + mean;
        out.deviation = variance > 0 && t.least < t.most ? sqrt(variance) : 0;
    }
    return out;
}

/* ---- rows ------------------------------------------------------------------------ */

static void add_value(pass *p, size_t column, double x)
{
    add(&p->all, x);
    if (p->columns)
        add(&p->columns[column], x);
}

static imsat_status add_dense(pass *p, const im_block *block, size_t row, imsat_error *err)
{
    const size_t dim = p->data->dim;
    const imsat_status st = im_block_read_wide(p->row, block, row, 0, dim, err);
    for (size_t j = 0; j < dim && st == IMSAT_OK; j++)
        add_value(p, j, p->row[j]);
    return st;
}

static void add_sparse(pass *p, const im_block *block, size_t row)
{
    const im_csr_row elements = im_csr_at(&block->csr, row);
    for (size_t e = 0; e < elements.count; e++)
        add_value(p, (size_t)elements.column[e], (double)elements.value[e]);
}

static imsat_status add_block(pass *p, const im_block *block, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < block->rows && st == IMSAT_OK; i++) {
        if (p->sparse)
            add_sparse(p, block, i);
        else
            st = add_dense(p, block, i, err);
        if (!p->sparse)
            im_block_pass(block, i);
    }
    return im_bytes_check(&block->bytes, st, err);
}

/* Rows of dense blocks, or of all if some are, are read as they are with their zeros. */
static imsat_status run(pass *p, bool columns, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_data *data = p->data;
    p->sparse = im_data_is_sparse(data);
    p->all = tally_new();
    if (columns)
        p->columns = im_alloc(data->dim, sizeof *p->columns);
    if (!p->sparse)
        p->row = im_alloc(data->dim, sizeof *p->row);
    if ((columns && !p->columns) || (!p->sparse && !p->row))
        return im_fail_memory(err, "the statistics of columns");
    for (size_t j = 0; columns && j < data->dim; j++) {
        p->columns[j] = tally_new();
        if (p->sparse)
            p->columns[j].from = 0;
    }
    if (p->sparse)
        p->all.from = 0;
    for (size_t b = 0; b < data->nblocks; b++)
        IM_TRY(add_block(p, &data->blocks[b], err));

cleanup:
    return st;
}

/* ---- labels ---------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static imsat_status count_labels(imsat_description *out, const imsat_data *data,
                                 imsat_error *err)
{
    size_t classes = 0;
    if (!data->labels)
        return IMSAT_OK;
    int32_t *sorted = im_alloc(data->rows, sizeof *sorted);
    if (!sorted)
        return im_fail_memory(err, "the labels");
    memcpy(sorted, data->labels, data->rows * sizeof *sorted);
    qsort(sorted, data->rows, sizeof *sorted, by_value);
    for (size_t i = 0; i < data->rows; i++)
        classes += i == 0 || sorted[i] != sorted[i - 1];
    out->labels = sorted;
    out->label_counts = im_alloc(classes, sizeof *out->label_counts);
    if (!out->label_counts)
        return im_fail_memory(err, "the labels");
    for (size_t i = 0; i < data->rows; i++) {
        if (i == 0 || sorted[i] != sorted[out->classes - 1])
            sorted[out->classes++] = sorted[i]; /* never beyond i */
        out->label_counts[out->classes - 1]++;
    }
    return IMSAT_OK;
}

/* ---- texts ----------------------------------------------------------------------- */

static imsat_status keep(char **to, const char *text, imsat_error *err)
{
    *to = text ? im_strdup(text) : NULL;
    return *to || !text ? IMSAT_OK : im_fail_memory(err, "a description");
}

static imsat_status keep_names(imsat_description *out, const imsat_data *data,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!data->schema.names)
        return IMSAT_OK;
    out->names = im_alloc(data->dim, sizeof *out->names);
    if (!out->names)
        return im_fail_memory(err, "the names of columns");
    for (size_t j = 0; j < data->dim; j++)
        IM_TRY(keep(&out->names[j], imsat_data_column_name(data, j), err));

cleanup:
    return st;
}

static imsat_status keep_notes(imsat_description *out, const imsat_data *data,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t count = 0;
    while (imsat_data_note(data, count))
        count++;
    out->notes = im_alloc(count + 1, sizeof *out->notes);
    if (!out->notes)
        return im_fail_memory(err, "a description");
    for (; out->nnotes < count; out->nnotes++)
        IM_TRY(keep(&out->notes[out->nnotes], imsat_data_note(data, out->nnotes), err));

cleanup:
    return st;
}

/* ---- the public part ---------------------------------------------------------------- */

static imsat_status summarize(imsat_description *out, const imsat_data *data, bool columns,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    pass p = {.data = data};
    IM_TRY(run(&p, columns, err));
    out->values = finish(p.all, data->rows * data->dim);
    if (columns)
        out->columns = im_alloc(data->dim, sizeof *out->columns);
    if (columns && !out->columns) {
        st = im_fail_memory(err, "the statistics of columns");
        goto cleanup;
    }
    for (size_t j = 0; columns && j < data->dim; j++)
        out->columns[j] = finish(p.columns[j], data->rows);

cleanup:
    im_free(p.columns);
    im_free(p.row);
    return st;
}

imsat_status imsat_describe_data(imsat_description **out, const imsat_data *data, int columns,
                                 imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    imsat_description *made = im_alloc(1, sizeof *made);
    if (!made)
        return im_fail_memory(err, "a description");
    made->rows = data->rows;
    made->dim = data->dim;
    made->image = data->image;
    IM_TRY(keep(&made->format, imsat_data_describe(data, 0), err));
    IM_TRY(summarize(made, data, columns != 0, err));
    IM_TRY(count_labels(made, data, err));
    IM_TRY(keep_names(made, data, err));
    IM_TRY(keep_notes(made, data, err));
    *out = made;
    made = NULL;

cleanup:
    imsat_description_free(made);
    return st;
}

imsat_status imsat_describe_files(imsat_description **out, const char *const *paths,
                                  size_t npaths, const imsat_data_options *options,
                                  const imsat_table_options *table, int columns,
                                  imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATHS(paths, npaths);
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    IM_TRY(im_data_open_loose(&data, paths, npaths, options, table, err));
    IM_TRY(imsat_describe_data(out, data, columns, err));

cleanup:
    imsat_data_free(data);
    return st;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        im_free(texts[i]);
    im_free(texts);
}

void imsat_description_free(imsat_description *description)
{
    if (!description)
        return;
    im_free(description->format);
    im_free(description->columns);
    free_texts(description->names, description->dim);
    im_free(description->labels);
    im_free(description->label_counts);
    free_texts(description->notes, description->nnotes);
    im_free(description);
}

imsat_status imsat_inside_list(imsat_inside **out, size_t *count, const char *path,
                               imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(count);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    im_block block = {0};
    im_contents contents = {.items = NULL};
    const im_read_request request = {.path = path, .contents = &contents};
    IM_TRY(im_reader_open(&file, path, err));
    if (file.reader->lists && !file.name.inside)
        st = im_reader_take(&block, &file, &request, err);
    if (st == IMSAT_ESTOPPED)
        st = IMSAT_OK;
    IM_TRY(st);
    *out = contents.count > 1 ? contents.items : NULL;
    *count = contents.count > 1 ? contents.count : 0;
    if (*out)
        contents.items = NULL;

cleanup:
    im_free(contents.items);
    im_block_clear(&block);
    im_reader_close(&file);
    return st;
}
