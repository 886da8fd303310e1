/* SPDX-License-Identifier: MIT
 *
 * See partition.h. With a_i and b_j the sizes of the parts and T = n (n - 1) / 2 pairs,
 *
 *     ARI = (S - A B / T) / ((A + B) / 2 - A B / T)
 *     S = sum_ij C(n_ij, 2),  A = sum_i C(a_i, 2),  B = sum_j C(b_j, 2)
 */
#include "core/partition.h"

#include "core/alloc.h"

#include <assert.h>

void im_side_clear(im_side *s)
{
    im_free(s->labels);
    im_free(s->sizes);
    *s = (im_side){0};
}

void im_table_clear(im_table *t)
{
    im_side_clear(&t->rows);
    im_side_clear(&t->cols);
    im_free(t->entries);
    *t = (im_table){0};
}

static int compare_labels(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

imsat_status im_side_new(im_side *out, const int32_t *labels, size_t n, imsat_error *err)
{
    im_side s = {.labels = im_alloc(n, sizeof *s.labels),
                 .sizes = im_alloc(n, sizeof *s.sizes)};
    if (!s.labels || !s.sizes) {
        im_side_clear(&s);
        im_fail_memory(err, "the labels to compare");
        return IMSAT_ENOMEM;
    }
    memcpy(s.labels, labels, n * sizeof *labels);
    qsort(s.labels, n, sizeof *s.labels, compare_labels);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || s.labels[i] != s.labels[s.parts - 1])
            s.labels[s.parts++] = s.labels[i];
        s.sizes[s.parts - 1]++;
    }
    *out = s;
    return IMSAT_OK;
}

size_t im_side_part(const im_side *s, int32_t label)
{
    assert(s->parts > 0);
    const int32_t *at =
        bsearch(&label, s->labels, s->parts, sizeof *s->labels, compare_labels);
    return (size_t)(at - s->labels);
}

/* Sort the points by entry, then count runs. */
static imsat_status count_entries(im_table *t, const int32_t *a, const int32_t *b,
                                  imsat_error *err)
{
    uint64_t *key = im_alloc(t->n, sizeof *key);
    t->entries = im_alloc(t->n, sizeof *t->entries);
    if (!key || !t->entries) {
        im_free(key);
        return im_fail_memory(err, "the labels to compare");
    }
    for (size_t i = 0; i < t->n; i++) /* below 2^64: there are at most 2^32 labels a side */
        key[i] = (uint64_t)im_side_part(&t->rows, a[i]) << 32 | im_side_part(&t->cols, b[i]);
    qsort(key, t->n, sizeof *key, compare_keys);
    for (size_t i = 0; i < t->n; i++) {
        if (i == 0 || key[i] != key[i - 1])
            t->entries[t->filled++] =
                (im_table_entry){(size_t)(key[i] >> 32), (size_t)(uint32_t)key[i], 0};
        t->entries[t->filled - 1].count++;
    }
    im_free(key);
    return IMSAT_OK;
}

imsat_status im_table_new(im_table *out, const int32_t *a, const int32_t *b, size_t n,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_table t = {.n = n};
    if (n == 0 || !a || !b)
        return im_fail(err, IMSAT_EINVAL, "there are no labels to compare");
    IM_TRY(im_side_new(&t.rows, a, n, err));
    IM_TRY(im_side_new(&t.cols, b, n, err));
    IM_TRY(count_entries(&t, a, b, err));
    *out = t;
    t = (im_table){0};

cleanup:
    im_table_clear(&t);
    return st;
}

/* C(m, 2), in double: exact below 2^53, and safe above. */
static double pairs(size_t m)
{
    return (double)m * ((double)m - 1) / 2;
}

double im_table_ari(const im_table *t)
{
    if (t->filled == t->rows.parts && t->filled == t->cols.parts)
        return 1; /* the partitions are equal: the only case with a denominator of 0 */
    double both = 0, in_row = 0, in_col = 0;
    for (size_t i = 0; i < t->filled; i++)
        both += pairs(t->entries[i].count);
    for (size_t i = 0; i < t->rows.parts; i++)
        in_row += pairs(t->rows.sizes[i]);
    for (size_t i = 0; i < t->cols.parts; i++)
        in_col += pairs(t->cols.sizes[i]);
    const double expected = in_row / pairs(t->n) * in_col;
    return (both - expected) / ((in_row + in_col) / 2 - expected);
}

imsat_status im_partition_ari(double *ari, const int32_t *a, const int32_t *b, size_t n,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_table t = {0};
    IM_TRY(im_table_new(&t, a, b, n, err));
    *ari = im_table_ari(&t);

cleanup:
    im_table_clear(&t);
    return st;
}
