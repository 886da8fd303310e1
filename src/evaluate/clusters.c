/* SPDX-License-Identifier: MIT
 *
 * How well predicted clusters agree with true classes. With n_ij points in cluster i and
 * class j, a_i = sum_j n_ij, b_j = sum_i n_ij:
 *
 *     ACC    = max over one-to-one matchings m of  sum_i n_{i, m(i)} / n
 *     NMI    = I / ((H(a) + H(b)) / 2),   I = sum_ij n_ij / n log(n n_ij / (a_i b_j))
 *     ARI    : core/partition.c
 *     purity = sum_i max_j n_ij / n
 *
 * Where a definition is 0 / 0, the value is scikit-learn's: equal partitions have ARI 1; two
 * partitions of one part each have NMI 1; if only one of them has one part, NMI is 0.
 *
 * Only the matching of ACC needs all cells of the table.
 */
#include "core/alloc.h"
#include "core/assignment.h"
#include "core/partition.h"

#include <math.h>

/* 128 MiB of costs, and at 4096 x 4096 about a minute for the matching. */
enum { MAX_CELLS = 1 << 24 };

static double entropy(const im_side *s, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < s->parts; i++) {
        const double share = (double)s->sizes[i] / (double)n;
        sum -= share * log(share);
    }
    return sum;
}

static double normalized_information(const im_table *t)
{
    if (t->rows.parts == 1 || t->cols.parts == 1)
        return t->rows.parts == t->cols.parts ? 1 : 0;
    const double n = (double)t->n;
    double information = 0;
    for (size_t i = 0; i < t->filled; i++) {
        const im_table_entry *c = &t->entries[i];
        const double share = (double)c->count / n;
        const double in_cluster = (double)t->rows.sizes[c->row] / n;
        const double in_class = (double)t->cols.sizes[c->col] / n;
        information += share * log(share / in_cluster / in_class);
    }
    const double mean = (entropy(&t->rows, t->n) + entropy(&t->cols, t->n)) / 2;
    return fmin(fmax(information / mean, 0), 1); /* rounding may leave [0, 1] by an ulp */
}

static double purity(const im_table *t)
{
    size_t pure = 0, largest = 0;
    for (size_t i = 0; i < t->filled; i++) {
        const im_table_entry *c = &t->entries[i];
        if (i == 0 || c->row != c[-1].row)
            largest = 0;
        if (c->count > largest) {
            pure += c->count - largest;
            largest = c->count;
        }
    }
    return (double)pure / (double)t->n;
}

/* The most points that a one-to-one matching of clusters and classes keeps, over n. */
static imsat_status accuracy(double *out, const im_table *t, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = t->rows.parts, cols = t->cols.parts;
    if (rows > MAX_CELLS / cols)
        return im_fail(err, IMSAT_EINVAL,
                       "%zu clusters and %zu classes make a table of more than %d cells; are "
                       "these labels?",
                       rows, cols, MAX_CELLS);
    double *cost = im_alloc(rows * cols, sizeof *cost);
    size_t *class_of = im_alloc(rows, sizeof *class_of);
    if (!cost || !class_of) {
        st = im_fail_memory(err, "the table of clusters and classes");
        goto cleanup;
    }
    for (size_t i = 0; i < t->filled; i++)
        cost[t->entries[i].row * cols + t->entries[i].col] = -(double)t->entries[i].count;
    IM_TRY(im_assignment_solve(class_of, cost, rows, cols, err));
    size_t kept = 0;
    for (size_t i = 0; i < t->filled; i++)
        if (class_of[t->entries[i].row] == t->entries[i].col)
            kept += t->entries[i].count;
    *out = (double)kept / (double)t->n;

cleanup:
    im_free(class_of);
    im_free(cost);
    return st;
}

imsat_status imsat_evaluate_clusters(imsat_cluster_score *score, const int32_t *predicted,
                                     const int32_t *truth, size_t n, imsat_error *err)
{
    IM_REQUIRE(score);
    IM_REQUIRE_ARRAY(predicted, n);
    IM_REQUIRE_ARRAY(truth, n);
    imsat_status st = IMSAT_OK;
    im_table t = {0};
    double acc = 0;
    IM_TRY(im_table_new(&t, predicted, truth, n, err));
    IM_TRY(accuracy(&acc, &t, err));
    *score = (imsat_cluster_score){.acc = acc,
                                   .nmi = normalized_information(&t),
                                   .ari = im_table_ari(&t),
                                   .purity = purity(&t),
                                   .clusters = t.rows.parts,
                                   .classes = t.cols.parts};
cleanup:
    im_table_clear(&t);
    return st;
}
