/* SPDX-License-Identifier: MIT
 *
 * Two partitions of the same n points, as a table: n_ij points are in part i of the one and
 * part j of the other. It is held as the list of its entries that are not 0, which is never
 * longer than n.
 *
 * Prefixes: im_side_, im_table_.
 */
#ifndef IM_CORE_PARTITION_H
#define IM_CORE_PARTITION_H

#include "core/status.h"

typedef struct im_table_entry {
    size_t row, col, count;
} im_table_entry;

/* One side of the table: its distinct labels, ascending, and how often each occurs. */
typedef struct im_side {
    int32_t *labels; /* (parts) */
    size_t *sizes;   /* (parts) */
    size_t parts;
} im_side;

/* From labels (n), any integers. O(n log n) time. */
imsat_status im_side_new(im_side *out, const int32_t *labels, size_t n, imsat_error *err);
void im_side_clear(im_side *side);

/* Which part a label that occurs is. */
size_t im_side_part(const im_side *side, int32_t label);

typedef struct im_table {
    size_t n;
    im_side rows, cols;
    im_table_entry *entries; /* (filled), by row, then column */
    size_t filled;
} im_table;

/* From labels a and b (n), any integers; n 0 is IMSAT_EINVAL. O(n log n) time. */
imsat_status im_table_new(im_table *out, const int32_t *a, const int32_t *b, size_t n,
                          imsat_error *err);
void im_table_clear(im_table *table);

/* The adjusted Rand index: 1 for equal partitions, about 0 for independent ones. */
double im_table_ari(const im_table *table);

/* The same from the labels. */
imsat_status im_partition_ari(double *ari, const int32_t *a, const int32_t *b, size_t n,
                              imsat_error *err);

#endif
