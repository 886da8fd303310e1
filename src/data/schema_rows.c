/* SPDX-License-Identifier: MIT
 *
 * Rows of tables that lack values and are left out, with their labels; see schema.h. That is
 * done when all files were read, and not row by row: only then it is known which columns are
 * of text and left out themselves, so that what they lack does not count.
 */
#include "core/alloc.h"
#include "data/schema.h"

#include <math.h>
#include <string.h>

/* Whether a row of cells, read to row (count), has all values that it needs. */
static bool is_whole(const im_block *block, size_t i, const im_schema *schema, double *row)
{
    im_block_doubles(row, block, i, 0, schema->count);
    for (size_t c = 0; c < schema->count; c++)
        if (schema->kinds[c] != IM_KIND_TEXT && isnan(row[c]))
            return false;
    return true;
}

/* Label i of a list goes to another. */
static imsat_status copy_label(im_label_list *to, const im_label_list *from, size_t i,
                               imsat_error *err)
{
    if (!from->starts)
        return im_label_list_add(to, from->values[i], err);
    const char *text = from->texts + from->starts[i];
    return im_label_list_add_text(to, text, strlen(text), err);
}

/* Which line of its file each row that is kept is: rows without a label may be gone already.
 */
static imsat_status keep_records(im_block *block, const bool *keep, size_t kept,
                                 const char *path, imsat_error *err)
{
    size_t *records = im_alloc(kept, sizeof *records), at = 0;
    if (!records)
        return im_fail_memory(err, path);
    for (size_t i = 0; i < block->rows; i++)
        if (keep[i])
            records[at++] = block->records ? block->records[i] : i;
    im_free(block->records);
    block->records = records;
    return IMSAT_OK;
}

/* A block of the rows that keep[] says, of which there are `kept`. */
static imsat_status shrink(im_block *block, const bool *keep, size_t kept, const char *path,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t size = block->dim * im_dtype_size(block->dtype);
    unsigned char *rows = im_alloc_unset(kept, size), *to = rows;
    if (!rows)
        return im_fail_memory(err, path);
    for (size_t i = 0; i < block->rows; i++)
        if (keep[i]) {
            memcpy(to, block->base + i * block->row_stride, size);
            to += size;
        }
    IM_TRY(keep_records(block, keep, kept, path, err));
    IM_TRY(im_block_own(block, rows, kept, block->dim, path, err));
    rows = NULL;
    IM_TRY(im_block_describe(block, err, "%s; %zu whole rows", block->description, kept));

cleanup:
    im_free(rows);
    return st;
}

/* Find the rows that are whole; *kept of them. */
static imsat_status find_whole(bool *keep, size_t *kept, const im_block *block,
                               const im_schema *schema, const char *path, imsat_error *err)
{
    double *row = im_alloc(schema->count, sizeof *row);
    if (!row)
        return im_fail_memory(err, path);
    *kept = 0;
    for (size_t i = 0; i < block->rows; i++) {
        keep[i] = !block->cells || is_whole(block, i, schema, row);
        *kept += keep[i];
    }
    im_free(row);
    return IMSAT_OK;
}

static imsat_status leave_out_rows(im_block *block, im_schema *schema, im_label_list *to,
                                   const im_label_list *from, const char *path,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = block->rows;
    size_t kept = 0;
    bool *keep = im_alloc(rows, sizeof *keep);
    if (!keep)
        return im_fail_memory(err, path);
    IM_TRY(find_whole(keep, &kept, block, schema, path, err));
    for (size_t i = 0; from && i < rows; i++)
        if (keep[i])
            IM_TRY(copy_label(to, from, block->first + i, err));
    if (kept == 0) {
        st =
            im_fail(err, IMSAT_EFORMAT,
                    "%s: --missing drop leaves none of the %zu rows; --missing mean or median "
                    "keeps them",
                    path, rows);
        goto cleanup;
    }
    if (kept < rows) {
        IM_TRY(shrink(block, keep, kept, path, err));
        IM_TRY(im_notes_add(&schema->notes, err,
                            "%s: %zu of %zu rows lack values, and are left out", path,
                            rows - kept, rows));
    }

cleanup:
    im_free(keep);
    return st;
}

imsat_status im_schema_leave_out(im_schema *schema, im_block *blocks, size_t nblocks,
                                 im_label_list *labels, const char *const *paths,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list kept = {0};
    size_t rows = 0;
    if (!schema->holes || schema->options.missing != IMSAT_MISSING_DROP)
        return IMSAT_OK;
    for (size_t b = 0; b < nblocks; b++)
        rows += blocks[b].rows;
    for (size_t b = 0; b < nblocks; b++)
        IM_TRY(leave_out_rows(&blocks[b], schema, &kept, labels->count == rows ? labels : NULL,
                              paths[b], err));
    im_label_list_clear(labels);
    *labels = kept;
    kept = (im_label_list){0};
    schema->holes = false;

cleanup:
    im_label_list_clear(&kept);
    return st;
}
