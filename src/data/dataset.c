/* SPDX-License-Identifier: MIT
 *
 * Data sets: files joined to one matrix, rows as float, and the check that every value is a
 * finite float; see dataset.h.
 */
#include "data/dataset.h"

#include "core/alloc.h"
#include "core/real.h"
#include "data/reader.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------ */

/* The block that holds a row: the last one whose first row is not after it. */
static const im_block *find_block(const imsat_data *data, size_t row)
{
    assert(row < data->rows && data->nblocks > 0);
    size_t low = 0, high = data->nblocks;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (data->blocks[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return &data->blocks[low];
}

void im_data_row(float *out, const imsat_data *data, size_t row)
{
    const im_block *block = find_block(data, row);
    im_block_floats(out, block, row - block->first, 0, block->dim);
}

bool im_data_row_wide(double *out, const imsat_data *data, size_t row)
{
    const im_block *block = find_block(data, row);
    if (!im_dtype_is_wide(block->dtype))
        return false;
    im_block_doubles(out, block, row - block->first, 0, block->dim);
    return true;
}

double im_data_value(const imsat_data *data, size_t row, size_t column)
{
    const im_block *block = find_block(data, row);
    double value;
    im_block_doubles(&value, block, row - block->first, column, 1);
    return value;
}

void im_data_prefetch(const imsat_data *data, size_t row)
{
    const im_block *block = find_block(data, row);
    im_block_prefetch(block, row - block->first);
}

imsat_status imsat_data_read(const imsat_data *data, size_t first, size_t count, float *out,
                             imsat_error *err)
{
    IM_REQUIRE(data);
    IM_REQUIRE_ARRAY(out, count);
    if (first > data->rows || count > data->rows - first)
        return im_fail(err, IMSAT_EINVAL,
                       "rows: %zu from row %zu on are asked for; the data has %zu", count,
                       first, data->rows);
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < count && st == IMSAT_OK; i++) {
        const im_block *block = find_block(data, first + i);
        st = im_block_read(out + i * data->dim, block, first + i - block->first, 0, data->dim,
                           err);
    }
    return im_data_check(data, first, count, st, err);
}

/* ---- sparse rows --------------------------------------------------------------- */

bool im_data_is_sparse(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (data->blocks[b].kind != IM_BLOCK_CSR)
            return false;
    return true;
}

im_csr_row im_data_sparse_row(const imsat_data *data, size_t row)
{
    const im_block *block = find_block(data, row);
    assert(block->kind == IM_BLOCK_CSR);
    return im_csr_at(&block->csr, row - block->first);
}

size_t im_data_longest(const imsat_data *data)
{
    size_t longest = 0;
    for (size_t b = 0; b < data->nblocks; b++) {
        const size_t here = data->blocks[b].csr.longest;
        longest = here > longest ? here : longest;
    }
    return longest;
}

/* ---- files ------------------------------------------------------------------- */

bool im_data_is_file(const imsat_data *data, const char *path)
{
    im_path_file file;
    if (!im_path_identify(&file, path))
        return false;
    for (size_t b = 0; b < data->nblocks; b++)
        if (data->blocks[b].file.inode == file.inode &&
            data->blocks[b].file.device == file.device)
            return true;
    return false;
}

/* ---- memory behind a pass ---------------------------------------------------- */

size_t im_data_piece(const imsat_data *data)
{
    return im_block_piece(data->dim);
}

void im_data_release(const imsat_data *data, size_t first, size_t count)
{
    assert(first <= data->rows && count <= data->rows - first);
    for (size_t b = 0; b < data->nblocks; b++) {
        const im_block *block = &data->blocks[b];
        const size_t from = first > block->first ? first : block->first;
        const size_t end = im_size_min(first + count, block->first + block->rows);
        if (from < end)
            im_block_release(block, from - block->first, end - from);
    }
}

/* ---- files that are lost ------------------------------------------------------ */

imsat_status im_data_check(const imsat_data *data, size_t first, size_t count, imsat_status st,
                           imsat_error *err)
{
    assert(first <= data->rows && count <= data->rows - first);
    for (size_t b = 0; b < data->nblocks; b++) {
        const im_block *block = &data->blocks[b];
        if (block->first < first + count && first < block->first + block->rows)
            st = im_bytes_check(&block->bytes, st, err);
    }
    return st;
}

bool im_data_lost(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (im_bytes_lost(&data->blocks[b].bytes))
            return true;
    return false;
}

/* ---- the check for NaN, infinities and overflow ----------------------------- */

IM_CLONES static uint32_t any_nonfinite(const float *x, size_t count)
{
    uint32_t found = 0;
    for (size_t j = 0; j < count; j++) {
        uint32_t bits;
        memcpy(&bits, x + j, sizeof bits);
        found |= (bits & 0x7f800000U) == 0x7f800000U;
    }
    return found;
}

/* Say which element of the row cannot be used. floats (dim): the row as float. */
static imsat_status refuse_value(const im_block *block, size_t row, const float *floats,
                                 const char *name, imsat_error *err)
{
    size_t column = 0;
    double value;
    while (isfinite(floats[column]))
        column++;
    im_block_doubles(&value, block, row, column, 1);
    return im_fail(
        err, IMSAT_EFORMAT, "%s: row %zu, column %zu (both from 0) is %g%s", name, row, column,
        value, isfinite(value) ? ", beyond the range of float" : "; values must be finite");
}

/* Integers are finite. But rows from a source are read in any case: what is damaged in the
 * file shows now, and not in the midst of a training. */
imsat_status im_data_check_values(const im_block *block, const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!im_dtype_is_float(block->dtype) && block->kind == IM_BLOCK_ARRAY)
        return IMSAT_OK;
    if (block->kind == IM_BLOCK_CSR || block->cells) /* checked as it was made */
        return IMSAT_OK;
    float *row = im_alloc(block->dim, sizeof *row);
    if (!row)
        return im_fail_memory(err, name);
    for (size_t i = 0; i < block->rows && st == IMSAT_OK; i++) {
        st = im_block_read(row, block, i, 0, block->dim, err);
        if (st == IMSAT_OK && any_nonfinite(row, block->dim))
            st = refuse_value(block, i, row, name, err);
        im_block_pass(block, i);
    }
    im_free(row);
    return st;
}

/* ---- opening ---------------------------------------------------------------- */

static imsat_status new_data(imsat_data **out, size_t nblocks, imsat_error *err)
{
    imsat_data *data = im_alloc(1, sizeof *data);
    if (!data)
        return im_fail_memory(err, "a data set");
    data->blocks = im_alloc(nblocks, sizeof *data->blocks);
    if (!data->blocks) {
        imsat_data_free(data);
        return im_fail_memory(err, "a data set");
    }
    *out = data;
    return IMSAT_OK;
}

imsat_status im_data_new(imsat_data **out, im_block *block, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = new_data(&data, 1, err);
    if (st != IMSAT_OK)
        return st;
    data->rows = block->rows;
    data->dim = block->dim;
    data->image = block->image;
    data->blocks[data->nblocks++] = *block;
    *block = (im_block){0};
    *out = data;
    return IMSAT_OK;
}

static bool is_image(imsat_image image)
{
    return image.height || image.width || image.channels;
}

static bool same_image(imsat_image a, imsat_image b)
{
    return a.height == b.height && a.width == b.width && a.channels == b.channels;
}

/* Let the rows of a block that leaves it open have `dim` columns. */
static void widen_block(im_block *block, size_t dim)
{
    if (block->dim_open && block->dim < dim)
        block->dim = block->csr.dim = dim;
}

static bool dim_is_open(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (!data->blocks[b].dim_open)
            return false;
    return true;
}

static void widen(imsat_data *data, size_t dim)
{
    if (dim <= data->dim || !dim_is_open(data))
        return;
    for (size_t b = 0; b < data->nblocks; b++)
        widen_block(&data->blocks[b], dim);
    data->dim = dim;
}

/* Append the block of paths[data->nblocks], which data then owns. */
static imsat_status append_block(imsat_data *data, im_block *block, const char *const *paths,
                                 imsat_error *err)
{
    const char *path = paths[data->nblocks];
    if (data->nblocks == 0) {
        data->dim = block->dim;
        data->image = block->image;
    }
    widen_block(block, data->dim);
    widen(data, block->dim);
    if (block->dim != data->dim)
        return im_fail(err, IMSAT_EMISMATCH, "%s has rows of %zu values, but %s of %zu", path,
                       block->dim, paths[0], data->dim);
    if (is_image(block->image) && is_image(data->image) &&
        !same_image(block->image, data->image))
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s holds images of %zu x %zu x %zu, but %s of %zu x %zu x %zu", path,
                       block->image.height, block->image.width, block->image.channels,
                       paths[0], data->image.height, data->image.width, data->image.channels);
    if (__builtin_add_overflow(data->rows, block->rows, &data->rows))
        return im_fail(err, IMSAT_EMISMATCH, "%s: too many rows together", path);
    block->first = data->rows - block->rows;
    data->blocks[data->nblocks++] = *block;
    *block = (im_block){0};
    return IMSAT_OK;
}

static imsat_status open_blocks(imsat_data *data, const char *const *paths, size_t npaths,
                                const imsat_data_options *options, im_label_list *labels,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    for (size_t i = 0; i < npaths; i++) {
        const im_read_request request = {.path = paths[i],
                                         .label_column = options->label_column,
                                         .labels = labels,
                                         .image = options->image,
                                         .schema = &data->schema};
        IM_TRY(im_reader_read(&block, &request, err));
        if (!data->schema.loose)
            IM_TRY(im_bytes_check(&block.bytes, im_data_check_values(&block, paths[i], err),
                                  err));
        IM_TRY(append_block(data, &block, paths, err));
    }

cleanup:
    im_block_clear(&block);
    return st;
}

/* Labels belong to the data only when every file had them. */
static imsat_status set_labels(imsat_data *data, const im_label_list *labels,
                               const char *const *paths, const char *label_column,
                               imsat_error *err)
{
    if (label_column && labels->count == 0)
        return im_fail(
            err, IMSAT_EINVAL,
            "%s: no label column '%s' in %s; only CSV and TSV files have columns to "
            "name",
            paths[0], label_column, data->blocks[0].description);
    if (labels->count == 0 || labels->count != data->rows)
        return IMSAT_OK;
    return im_label_list_number(&data->labels, &data->label_words, labels, paths[0], err);
}

imsat_status im_data_set_image(imsat_data *data, imsat_image image, const char *path,
                               imsat_error *err)
{
    size_t product;
    if (!is_image(image))
        return IMSAT_OK;
    if (!im_size_mul(&product, image.height, image.width) ||
        !im_size_mul(&product, product, image.channels) || product != data->dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s: images of %zu x %zu x %zu do not fit rows of %zu values", path,
                       image.height, image.width, image.channels, data->dim);
    data->image = image;
    return IMSAT_OK;
}

/* Blocks may have fewer rows than when they were appended. */
static void count_rows(imsat_data *data)
{
    data->rows = 0;
    for (size_t b = 0; b < data->nblocks; b++) {
        data->blocks[b].first = data->rows;
        data->rows += data->blocks[b].rows;
    }
}

static bool has_table(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (data->blocks[b].cells)
            return true;
    return false;
}

/* Options of tables want a table. */
static imsat_status check_table(const imsat_data *data, const char *path, imsat_error *err)
{
    const imsat_table_options *options = &data->schema.options;
    if (has_table(data) || (!options->columns && !options->drop))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL,
                   "%s: %s is for the columns of CSV and TSV files, but this is %s", path,
                   options->columns ? "--columns" : "--drop", data->blocks[0].description);
}

static imsat_status open_data(imsat_data **out, const char *const *paths, size_t npaths,
                              const imsat_data_options *options,
                              const imsat_table_options *table, const im_schema *given,
                              bool loose, imsat_error *err)
{
    static const imsat_data_options defaults = {0};
    const imsat_data_options *opt = options ? options : &defaults;
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    im_label_list labels = {0};
    if (npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no data file is given");
    IM_TRY(new_data(&data, npaths, err));
    IM_TRY(im_schema_begin(&data->schema, table, err));
    data->schema.loose = loose;
    if (given && given->count > 0)
        IM_TRY(im_schema_give(&data->schema, given, err));
    IM_TRY(open_blocks(data, paths, npaths, opt, &labels, err));
    IM_TRY(check_table(data, paths[0], err));
    if (!has_table(data))
        im_schema_clear(&data->schema); /* a model's, which is of no use */
    IM_TRY(
        im_schema_leave_out(&data->schema, data->blocks, data->nblocks, &labels, paths, err));
    count_rows(data);
    IM_TRY(im_schema_finish(&data->schema, data->blocks, data->nblocks, &data->dim, err));
    IM_TRY(set_labels(data, &labels, paths, opt->label_column, err));
    IM_TRY(im_data_set_image(data, opt->image, paths[0], err));
    im_schema_end(&data->schema);
    *out = data;
    data = NULL;

cleanup:
    im_label_list_clear(&labels);
    imsat_data_free(data);
    return st;
}

imsat_status im_data_open(imsat_data **out, const char *const *paths, size_t npaths,
                          const imsat_data_options *options, const imsat_table_options *table,
                          const im_schema *given, imsat_error *err)
{
    return open_data(out, paths, npaths, options, table, given, false, err);
}

imsat_status im_data_open_loose(imsat_data **out, const char *const *paths, size_t npaths,
                                const imsat_data_options *options,
                                const imsat_table_options *table, imsat_error *err)
{
    return open_data(out, paths, npaths, options, table, NULL, true, err);
}

imsat_status imsat_data_open_table(imsat_data **out, const char *const *paths, size_t npaths,
                                   const imsat_data_options *options,
                                   const imsat_table_options *table, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATHS(paths, npaths);
    return im_data_open(out, paths, npaths, options, table, NULL, err);
}

imsat_status imsat_data_open(imsat_data **out, const char *const *paths, size_t npaths,
                             const imsat_data_options *options, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATHS(paths, npaths);
    return im_data_open(out, paths, npaths, options, NULL, NULL, err);
}

imsat_status imsat_data_widen(imsat_data *data, size_t dim, imsat_error *err)
{
    IM_REQUIRE(data);
    if (dim > INT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%zu columns; sparse rows have at most %ld", dim,
                       (long)INT32_MAX);
    widen(data, dim);
    return IMSAT_OK;
}

void imsat_data_free(imsat_data *data)
{
    if (!data)
        return;
    for (size_t i = 0; i < data->nblocks; i++)
        im_block_clear(&data->blocks[i]);
    im_free(data->blocks);
    im_free(data->labels);
    im_free(data->label_words);
    im_free(data->documents);
    if (data->origin)
        data->drop_origin(data->origin);
    im_schema_clear(&data->schema);
    im_free(data);
}

/* ---- questions -------------------------------------------------------------- */

size_t imsat_data_rows(const imsat_data *data)
{
    return data ? data->rows : 0;
}

size_t imsat_data_dim(const imsat_data *data)
{
    return data ? data->dim : 0;
}

imsat_image imsat_data_image(const imsat_data *data)
{
    return data ? data->image : (imsat_image){0};
}

const int32_t *imsat_data_labels(const imsat_data *data)
{
    return data ? data->labels : NULL;
}

const char *const *imsat_data_label_words(const imsat_data *data)
{
    return data ? (const char *const *)data->label_words : NULL;
}

const char *imsat_data_column_name(const imsat_data *data, size_t column)
{
    if (!data || !data->schema.names || column >= data->dim)
        return NULL;
    char **names = data->schema.values ? data->schema.value_names : data->schema.names;
    return *names[column] ? names[column] : NULL;
}

const char *imsat_data_note(const imsat_data *data, size_t i)
{
    return data && i < data->schema.notes.count ? data->schema.notes.items[i] : NULL;
}

const char *imsat_data_describe(const imsat_data *data, size_t file)
{
    return data && file < data->nblocks ? data->blocks[file].description : NULL;
}
