/* SPDX-License-Identifier: MIT
 * See csr.h. */
#include "data/csr.h"

#include "core/alloc.h"

#include <assert.h>
#include <math.h>

void im_csr_clear(im_csr *csr)
{
    for (size_t i = 0; i < sizeof csr->owned / sizeof *csr->owned; i++)
        im_free(csr->owned[i]);
    *csr = (im_csr){0};
}

void im_csr_scale(im_csr *csr, float factor)
{
    float *value = csr->owned[2];
    assert(csr->value == value);
    for (size_t i = 0, count = (size_t)csr->start[csr->rows]; i < count; i++)
        value[i] *= factor;
}

/* ---- checks ------------------------------------------------------------------ */

static imsat_status refuse_order(const char *name, size_t row, int32_t before, int32_t column,
                                 imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "%s: row %zu (from 0) has column %ld %s; columns must ascend in each row "
                   "(scipy: sum_duplicates())",
                   name, row, (long)column,
                   before == column ? "twice" : "behind a larger one");
}

static imsat_status check_row(const im_csr *csr, size_t row, const char *name,
                              imsat_error *err)
{
    const im_csr_row r = im_csr_at(csr, row);
    for (size_t e = 0; e < r.count; e++) {
        if (r.column[e] < 0 || (size_t)r.column[e] >= csr->dim)
            return im_fail(err, IMSAT_EINVAL,
                           "%s: row %zu (from 0) has column %ld; it must be from 0 to %zu",
                           name, row, (long)r.column[e], csr->dim - 1);
        if (e > 0 && r.column[e] <= r.column[e - 1])
            return refuse_order(name, row, r.column[e - 1], r.column[e], err);
        if (!isfinite(r.value[e]))
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: row %zu, column %ld (both from 0) is %g; values must be "
                           "finite",
                           name, row, (long)r.column[e], (double)r.value[e]);
    }
    return IMSAT_OK;
}

/* Before anything is read through it. */
static imsat_status check_starts(const im_csr *csr, const char *name, imsat_error *err)
{
    if (csr->rows == 0 || csr->dim == 0)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu values; there must be some",
                       name, csr->rows, csr->dim);
    if (csr->dim > INT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu columns; sparse rows have at most %ld",
                       name, csr->dim, (long)INT32_MAX);
    if (csr->start[0] != 0)
        return im_fail(err, IMSAT_EINVAL, "%s: row 0 starts at element %lld, not at 0", name,
                       (long long)csr->start[0]);
    for (size_t i = 0; i < csr->rows; i++)
        if (csr->start[i + 1] < csr->start[i])
            return im_fail(err, IMSAT_EINVAL,
                           "%s: row %zu (from 0) goes from element %lld to %lld; rows must "
                           "follow one another",
                           name, i, (long long)csr->start[i], (long long)csr->start[i + 1]);
    return IMSAT_OK;
}

imsat_status im_csr_view(im_csr *out, const int64_t *start, const int32_t *column,
                         const float *value, size_t rows, size_t dim, const char *name,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr csr = {.rows = rows, .dim = dim, .start = start, .column = column, .value = value};
    IM_TRY(check_starts(&csr, name, err));
    for (size_t i = 0; i < rows; i++) {
        const size_t count = im_csr_at(&csr, i).count;
        IM_TRY(check_row(&csr, i, name, err));
        csr.longest = count > csr.longest ? count : csr.longest;
    }
    *out = csr;

cleanup:
    return st;
}

/* ---- rows with their zeros ------------------------------------------------------ */

/* The first element of a row that is not before a column. */
static size_t find_column(const im_csr_row *row, size_t column)
{
    size_t low = 0, high = row->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((size_t)row->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void im_csr_floats(float *out, const im_csr *csr, size_t row, size_t first, size_t count)
{
    assert(row < csr->rows && first <= csr->dim && count <= csr->dim - first);
    const im_csr_row r = im_csr_at(csr, row);
    memset(out, 0, count * sizeof *out);
    for (size_t e = find_column(&r, first); e < r.count; e++) {
        if ((size_t)r.column[e] >= first + count)
            break;
        out[(size_t)r.column[e] - first] = r.value[e];
    }
}

void im_csr_doubles(double *out, const im_csr *csr, size_t row, size_t first, size_t count)
{
    assert(row < csr->rows && first <= csr->dim && count <= csr->dim - first);
    const im_csr_row r = im_csr_at(csr, row);
    memset(out, 0, count * sizeof *out);
    for (size_t e = find_column(&r, first); e < r.count; e++) {
        if ((size_t)r.column[e] >= first + count)
            break;
        out[(size_t)r.column[e] - first] = (double)r.value[e];
    }
}

/* ---- rows that come one after another ------------------------------------------- */

enum { FIRST_ROOM = 64 };

void im_csr_begin(im_csr_builder *builder)
{
    *builder = (im_csr_builder){.entries = {.size = sizeof(im_csr_entry)},
                                .counts = {.size = sizeof(uint32_t)}};
}

void im_csr_builder_clear(im_csr_builder *builder)
{
    im_pile_clear(&builder->entries);
    im_pile_clear(&builder->counts);
    im_free(builder->row);
    im_csr_begin(builder);
}

imsat_status im_csr_add(im_csr_builder *builder, int32_t column, float value, imsat_error *err)
{
    assert(column >= 0);
    if (builder->count == builder->room) {
        const size_t room = builder->room ? 2 * builder->room : FIRST_ROOM;
        im_csr_entry *row = im_grow(builder->row, builder->room, room, sizeof *row);
        if (!row)
            return im_fail_memory(err, "a sparse row");
        builder->row = row;
        builder->room = room;
    }
    builder->row[builder->count++] = (im_csr_entry){column, value};
    return IMSAT_OK;
}

static int by_column(const void *a, const void *b)
{
    const im_csr_entry *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

static bool ascends(const im_csr_entry *row, size_t count)
{
    for (size_t e = 1; e < count; e++)
        if (row[e].column <= row[e - 1].column)
            return false;
    return true;
}

/* Returns the column that is there twice, or -1. */
static int32_t sort_row(im_csr_entry *row, size_t count)
{
    if (ascends(row, count))
        return -1;
    qsort(row, count, sizeof *row, by_column);
    for (size_t e = 1; e < count; e++)
        if (row[e].column == row[e - 1].column)
            return row[e].column;
    return -1;
}

imsat_status im_csr_end_row(im_csr_builder *builder, const char *where, int32_t base,
                            imsat_error *err)
{
    const int32_t twice = sort_row(builder->row, builder->count);
    if (twice >= 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: column %lld comes twice in the row", where,
                       (long long)twice + base);
    for (size_t e = 0; e < builder->count; e++) {
        im_csr_entry *to = im_pile_next(&builder->entries);
        if (!to)
            return im_fail_memory(err, "sparse rows");
        *to = builder->row[e];
    }
    uint32_t *count = im_pile_next(&builder->counts);
    if (!count)
        return im_fail_memory(err, "sparse rows");
    *count = (uint32_t)builder->count;
    const size_t columns =
        builder->count ? (size_t)builder->row[builder->count - 1].column + 1 : 0;
    builder->columns = columns > builder->columns ? columns : builder->columns;
    builder->longest = builder->count > builder->longest ? builder->count : builder->longest;
    builder->count = 0;
    return IMSAT_OK;
}

/* The arrays of rows that are made here: their memory. */
typedef struct arrays {
    int64_t *start;
    int32_t *column;
    float *value;
} arrays;

static imsat_status arrays_new(arrays *out, size_t rows, size_t count, imsat_error *err)
{
    *out = (arrays){im_alloc(rows + 1, sizeof *out->start),
                    im_alloc_unset(count, sizeof *out->column),
                    im_alloc_unset(count, sizeof *out->value)};
    if (out->start && out->column && out->value)
        return IMSAT_OK;
    im_free(out->start);
    im_free(out->column);
    im_free(out->value);
    return im_fail_memory(err, "sparse rows");
}

static im_csr csr_of(const arrays *a, size_t rows, size_t dim, size_t longest)
{
    return (im_csr){.rows = rows,
                    .dim = dim,
                    .start = a->start,
                    .column = a->column,
                    .value = a->value,
                    .longest = longest,
                    .owned = {a->start, a->column, a->value}};
}

static void take_entries(void *context, const void *elements, size_t count)
{
    arrays *to = context;
    const im_csr_entry *from = elements;
    for (size_t e = 0; e < count; e++) {
        *to->column++ = from[e].column;
        *to->value++ = from[e].value;
    }
}

/* The start of each next row. */
static void take_counts(void *context, const void *elements, size_t count)
{
    int64_t **to = context;
    const uint32_t *from = elements;
    for (size_t i = 0; i < count; i++, ++*to)
        (*to)[1] = (*to)[0] + from[i];
}

imsat_status im_csr_finish(im_csr *out, im_csr_builder *builder, size_t dim, imsat_error *err)
{
    assert(builder->count == 0 && dim >= builder->columns && dim <= INT32_MAX);
    const size_t rows = builder->counts.count, longest = builder->longest;
    arrays made;
    const imsat_status st = arrays_new(&made, rows, builder->entries.count, err);
    if (st != IMSAT_OK)
        return st;
    arrays at = made;
    int64_t *start = made.start;
    im_pile_drain(&builder->entries, take_entries, &at);
    im_pile_drain(&builder->counts, take_counts, &start);
    im_csr_builder_clear(builder);
    *out = csr_of(&made, rows, dim, longest);
    return IMSAT_OK;
}

void im_csr_count_from_one(im_csr *csr)
{
    int32_t *column = csr->owned[1];
    assert(column == csr->column && csr->dim > 1);
    for (int64_t e = 0; e < csr->start[csr->rows]; e++)
        column[e]--;
    csr->dim--;
}

/* ---- elements in any order ------------------------------------------------------- */

typedef struct triplet {
    uint32_t row;
    int32_t column;
    float value;
} triplet;

imsat_status im_csr_sort_begin(im_csr_sorter *sorter, size_t rows, imsat_error *err)
{
    assert(rows <= UINT32_MAX);
    *sorter = (im_csr_sorter){.triplets = {.size = sizeof(triplet)}, .rows = rows};
    sorter->start = im_alloc(rows + 1, sizeof *sorter->start);
    return sorter->start ? IMSAT_OK : im_fail_memory(err, "sparse rows");
}

imsat_status im_csr_sort_add(im_csr_sorter *sorter, size_t row, int32_t column, float value,
                             imsat_error *err)
{
    assert(row < sorter->rows && column >= 0);
    triplet *to = im_pile_next(&sorter->triplets);
    if (!to)
        return im_fail_memory(err, "sparse rows");
    *to = (triplet){(uint32_t)row, column, value};
    sorter->start[row + 1]++;
    return IMSAT_OK;
}

void im_csr_sort_clear(im_csr_sorter *sorter)
{
    im_pile_clear(&sorter->triplets);
    im_free(sorter->start);
    *sorter = (im_csr_sorter){0};
}

/* Elements on their way to their rows. */
typedef struct spreading {
    im_csr_entry *entries;
    int64_t *next; /* where the next one of each row goes */
} spreading;

static void spread(void *context, const void *elements, size_t count)
{
    const spreading *to = context;
    const triplet *from = elements;
    for (size_t i = 0; i < count; i++)
        to->entries[to->next[from[i].row]++] = (im_csr_entry){from[i].column, from[i].value};
}

/* A counting sort by rows: afterwards start is where each row starts. */
static void sort_by_rows(im_csr_entry *entries, im_csr_sorter *sorter)
{
    int64_t *start = sorter->start;
    const size_t rows = sorter->rows;
    spreading to = {entries, start};
    for (size_t r = 0; r < rows; r++)
        start[r + 1] += start[r];
    im_pile_drain(&sorter->triplets, spread, &to);
    memmove(start + 1, start, rows * sizeof *start); /* spreading moved each to its end */
    start[0] = 0;
}

/* Sort each row by columns; *longest: the elements of the longest. */
static imsat_status sort_rows(im_csr_entry *entries, const im_csr_sorter *sorter,
                              size_t *longest, const char *name, int base, imsat_error *err)
{
    for (size_t r = 0; r < sorter->rows; r++) {
        const size_t count = (size_t)(sorter->start[r + 1] - sorter->start[r]);
        const int32_t twice = sort_row(entries + sorter->start[r], count);
        if (twice >= 0)
            return im_fail(err, IMSAT_EFORMAT, "%s: row %zu, column %lld comes twice", name,
                           r + (size_t)base, (long long)twice + base);
        *longest = count > *longest ? count : *longest;
    }
    return IMSAT_OK;
}

imsat_status im_csr_sort_finish(im_csr *out, im_csr_sorter *sorter, size_t dim,
                                const char *name, int base, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t count = sorter->triplets.count;
    arrays made = {0};
    size_t longest = 0;
    im_csr_entry *entries = im_alloc_unset(count, sizeof *entries);
    if (!entries)
        return im_fail_memory(err, "sparse rows");
    sort_by_rows(entries, sorter);
    IM_TRY(sort_rows(entries, sorter, &longest, name, base, err));
    IM_TRY(arrays_new(&made, 0, count, err));
    arrays at = made;
    take_entries(&at, entries, count);
    im_free(made.start);
    made.start = sorter->start;
    sorter->start = NULL;
    *out = csr_of(&made, sorter->rows, dim, longest);

cleanup:
    im_free(entries);
    return st;
}
