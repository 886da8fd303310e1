/* SPDX-License-Identifier: MIT
 *
 * From the cells of tables to the columns of data, when all files were read; see schema.h:
 *
 *   - a missing number (NaN) becomes the mean or the median of its column over all files;
 *   - a column of words becomes a column of 0 and 1 for each of them, in the order of their
 *     bytes; a missing word is none of them;
 *   - columns of text that are not wanted are left out.
 *
 * Where nothing of that is to be done the blocks stay as they are.
 */
#include "core/alloc.h"
#include "core/memory.h"
#include "data/schema.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the cells are the data: nothing is to be filled in, spread or left out. */
static bool is_plain(const im_schema *schema)
{
    for (size_t c = 0; c < schema->count; c++)
        if (schema->kinds[c] == IM_KIND_CATEGORY || schema->kinds[c] == IM_KIND_TEXT)
            return false;
    return !schema->holes;
}

static bool has_fills(const im_schema *schema)
{
    return schema->options.missing == IMSAT_MISSING_MEAN ||
           schema->options.missing == IMSAT_MISSING_MEDIAN;
}

/* ---- what is filled in ------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The values of a column that are there, to values (rows); how many. */
static size_t collect(double *values, size_t column, const im_block *blocks, size_t nblocks)
{
    size_t n = 0;
    for (size_t b = 0; b < nblocks; b++)
        for (size_t i = 0; i < blocks[b].rows; i++) {
            im_block_doubles(&values[n], &blocks[b], i, column, 1);
            n += isnan(values[n]) ? 0 : 1;
        }
    return n;
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i] - values[0];
    return values[0] + sum / (double)n;
}

static double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    const double low = values[(n - 1) / 2], high = values[n / 2];
    return low + (high - low) / 2;
}

static imsat_status refuse_empty(const im_schema *schema, size_t column, imsat_error *err)
{
    char name[IM_SCHEMA_NAME_ROOM];
    im_schema_name(name, schema, column);
    return im_fail(
        err, IMSAT_EFORMAT,
        "%s: column %zu%s (from 0, the label's aside) has no value at all; leave it out "
        "by --drop",
        schema->origin, schema->places[column], name);
}

/* The fill of every column of numbers, also of those that need none: rows that come later
 * may. */
static imsat_status find_fills(im_schema *schema, const im_block *blocks, size_t nblocks,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool median = schema->options.missing == IMSAT_MISSING_MEDIAN;
    size_t rows = 0;
    for (size_t b = 0; b < nblocks; b++)
        rows += blocks[b].rows;
    double *values = im_alloc(rows + 1, sizeof *values);
    schema->fills = im_alloc(schema->count, sizeof *schema->fills);
    if (!values || !schema->fills) {
        im_free(values);
        return im_fail_memory(err, "the values that are filled in");
    }
    for (size_t c = 0; c < schema->count && st == IMSAT_OK; c++) {
        const im_kind kind = (im_kind)schema->kinds[c];
        if (kind == IM_KIND_CATEGORY || kind == IM_KIND_TEXT)
            continue;
        const size_t n = collect(values, c, blocks, nblocks);
        if (n == 0)
            st = refuse_empty(schema, c, err);
        else
            schema->fills[c] = median ? median_of(values, n) : mean_of(values, n);
    }
    im_free(values);
    return st;
}

/* ---- rows ----------------------------------------------------------------------- */

/* Columns of 0 and 1: the word with this code, or none. */
static void spread(double *out, const im_categories *categories, double code)
{
    for (size_t w = 0; w < categories->count; w++)
        out[w] = (double)categories->codes[w] == code;
}

static void convert_row(double *out, const double *row, const im_schema *schema)
{
    for (size_t c = 0; c < schema->count; c++) {
        const size_t width = im_schema_width_of(schema, c);
        if (schema->kinds[c] == IM_KIND_CATEGORY)
            spread(out, &schema->categories[c], row[c]);
        else if (width == 1)
            *out = isnan(row[c]) && schema->fills ? schema->fills[c] : row[c];
        out += width;
    }
}

/* Bytes that need no look at how much memory there is. */
static const size_t AFFORDABLE = (size_t)1 << 30;

/* A column of many words takes a value for each of them in every row. */
static imsat_status check_size(const im_schema *schema, const im_block *blocks, size_t nblocks,
                               size_t dim, imsat_error *err)
{
    size_t rows = 0, values, bytes;
    for (size_t b = 0; b < nblocks; b++)
        rows += blocks[b].rows;
    if (im_size_mul(&values, rows, dim) && im_size_mul(&bytes, values, sizeof(float)) &&
        (bytes <= AFFORDABLE || bytes <= im_memory() / 2))
        return IMSAT_OK;
    return im_fail(err, IMSAT_ENOMEM,
                   "%s: %zu rows become %zu columns of numbers, one for each word, more than "
                   "half of the memory; leave out columns of many words by --drop",
                   schema->origin, rows, dim);
}

/* What is filled in may be no float; otherwise rows stay as narrow as they are. */
static imsat_status convert_block(im_block *block, const im_schema *schema, size_t dim,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool wide = schema->holes || block->dtype == IM_F64;
    size_t count;
    if (!im_size_mul(&count, block->rows, dim))
        return im_fail_memory(err, schema->origin);
    void *all = im_alloc_unset(count, wide ? sizeof(double) : sizeof(float));
    double *row = im_alloc(schema->count, sizeof *row);
    double *out = im_alloc(dim, sizeof *out);
    if (!all || !row || !out) {
        st = im_fail_memory(err, schema->origin);
        goto cleanup;
    }
    for (size_t i = 0; i < block->rows; i++) {
        im_block_doubles(row, block, i, 0, schema->count);
        convert_row(out, row, schema);
        for (size_t j = 0; j < dim; j++)
            if (wide)
                ((double *)all)[i * dim + j] = out[j];
            else
                ((float *)all)[i * dim + j] = (float)out[j];
    }
    block->dtype = wide ? IM_F64 : IM_F32;
    IM_TRY(im_block_own(block, all, block->rows, dim, schema->origin, err));
    all = NULL;
    IM_TRY(im_block_describe(block, err, "%s; %zu columns of data", block->description, dim));

cleanup:
    im_free(all);
    im_free(row);
    im_free(out);
    return st;
}

/* ---- names ------------------------------------------------------------------------ */

/* "city=Rome", or "city". */
static char *value_name(const im_schema *schema, size_t column, size_t word)
{
    const char *name = schema->names[column];
    if (schema->kinds[column] != IM_KIND_CATEGORY)
        return im_strdup(name);
    const char *of = schema->categories[column].words[word];
    const size_t size = strlen(name) + strlen(of) + 2;
    char *text = im_alloc(size, 1);
    if (text)
        snprintf(text, size, "%s=%s", name, of);
    return text;
}

static imsat_status name_values(im_schema *schema, size_t dim, imsat_error *err)
{
    schema->values = dim;
    if (!schema->names)
        return IMSAT_OK;
    schema->value_names = im_alloc(dim, sizeof *schema->value_names);
    if (!schema->value_names)
        return im_fail_memory(err, "the names of columns");
    size_t at = 0;
    for (size_t c = 0; c < schema->count; c++)
        for (size_t w = 0; w < im_schema_width_of(schema, c); w++, at++) {
            schema->value_names[at] = value_name(schema, c, w);
            if (!schema->value_names[at])
                return im_fail_memory(err, "the names of columns");
        }
    return IMSAT_OK;
}

/* Go on without the columns of text, and say so. */
static imsat_status leave_out_text(im_schema *schema, imsat_error *err)
{
    char list[IM_COLUMNS_ROOM] = "", name[IM_SCHEMA_NAME_ROOM], item[IM_SCHEMA_NAME_ROOM + 32];
    for (size_t c = 0; c < schema->count;) {
        if (schema->kinds[c] != IM_KIND_TEXT) {
            c++;
            continue;
        }
        const size_t used = strlen(list);
        im_schema_name(name, schema, c);
        snprintf(item, sizeof item, "%s%zu%s", used ? ", " : "", schema->places[c], name);
        if (used + strlen(item) < sizeof list)
            snprintf(list + used, sizeof list - used, "%s", item);
        im_schema_remove(schema, c);
    }
    if (!*list)
        return IMSAT_OK;
    return im_notes_add(&schema->notes, err, "%s: columns of text, which are left out: %s",
                        schema->origin, list);
}

/* A word of its own for each row is a name or a number of the row, which tells nothing of what
 * it has in common with others. */
static imsat_status note_names(im_schema *schema, const im_block *blocks, size_t nblocks,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char name[IM_SCHEMA_NAME_ROOM];
    size_t rows = 0;
    for (size_t b = 0; b < nblocks; b++)
        rows += blocks[b].rows;
    for (size_t c = 0; !schema->given && rows > 2 && c < schema->count; c++) {
        if (schema->kinds[c] != IM_KIND_CATEGORY || schema->categories[c].count < rows)
            continue;
        im_schema_name(name, schema, c);
        IM_TRY(im_notes_add(
            &schema->notes, err,
            "%s: column %zu%s (from 0, the label's aside) has another word in each of "
            "the %zu rows, which tells nothing of them; leave it out by --drop",
            schema->origin, schema->places[c], name, rows));
    }

cleanup:
    return st;
}

/* Rows that are no cells of a table stay as they are, and cannot be joined with others that do
 * not. */
static imsat_status check_cells(const im_schema *schema, const im_block *blocks,
                                size_t nblocks, imsat_error *err)
{
    for (size_t b = 0; b < nblocks; b++)
        if (!blocks[b].cells)
            return im_fail(
                err, IMSAT_EMISMATCH,
                "%s: a table with words or missing values, which cannot be joined with "
                "%s",
                schema->origin, blocks[b].description);
    return IMSAT_OK;
}

imsat_status im_schema_finish(im_schema *schema, im_block *blocks, size_t nblocks, size_t *dim,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t width = 0;
    if (has_fills(schema) && schema->count > 0 && !schema->given)
        IM_TRY(find_fills(schema, blocks, nblocks, err));
    if (is_plain(schema))
        return IMSAT_OK;
    IM_TRY(check_cells(schema, blocks, nblocks, err));
    for (size_t c = 0; c < schema->count; c++)
        width += im_schema_width_of(schema, c);
    if (width == 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: has no columns but those of text; --categories one-hot keeps them",
                       schema->origin);
    IM_TRY(check_size(schema, blocks, nblocks, width, err));
    for (size_t b = 0; b < nblocks; b++)
        IM_TRY(convert_block(&blocks[b], schema, width, err));
    IM_TRY(note_names(schema, blocks, nblocks, err));
    IM_TRY(leave_out_text(schema, err));
    IM_TRY(name_values(schema, width, err));
    *dim = width;

cleanup:
    return st;
}
