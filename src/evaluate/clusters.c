/* SPDX-License-Identifier: MIT
 *
 * How well predicted clusters agree with true classes. With n_ij points in cluster i and
 * class j, a_i = sum_j n_ij, b_j = sum_i n_ij, and T = n (n - 1) / 2 pairs of points:
 *
 *     ACC    = max over one-to-one matchings m of  sum_i n_{i, m(i)} / n
 *     NMI    = I / ((H(a) + H(b)) / 2),   I = sum_ij n_ij / n log(n n_ij / (a_i b_j))
 *     ARI    = (S - A B / T) / ((A + B) / 2 - A B / T)
 *              S = sum_ij C(n_ij, 2),  A = sum_i C(a_i, 2),  B = sum_j C(b_j, 2)
 *     purity = sum_i max_j n_ij / n
 *
 * Where a definition is 0 / 0, the value is scikit-learn's: equal partitions have ARI 1; two
 * partitions of one part each have NMI 1; if only one of them has one part, NMI is 0.
 *
 * The table n_ij is held as the list of its cells that are not 0, which is never longer than
 * n. Only the matching of ACC needs all cells.
 */
#include "evaluate/clusters.h"

#include "core/alloc.h"
#include "evaluate/assignment.h"

#include <math.h>

/* 128 MiB of costs, and at 4096 x 4096 about a minute for the matching. */
enum { MAX_CELLS = 1 << 24 };

typedef struct cell {
    size_t cluster, class, count;
} cell;

/* One side of the table: its distinct labels, ascending, and how often each occurs. */
typedef struct side {
    int32_t *labels; /* (parts) */
    size_t *sizes;   /* (parts) */
    size_t parts;
} side;

typedef struct table {
    size_t n;
    side clusters, classes;
    cell *cells; /* (filled), by cluster, then class */
    size_t filled;
} table;

static void table_clear(table *t)
{
    im_free(t->clusters.labels);
    im_free(t->clusters.sizes);
    im_free(t->classes.labels);
    im_free(t->classes.sizes);
    im_free(t->cells);
    *t = (table){0};
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

static imsat_status count_labels(side *s, const int32_t *labels, size_t n, imsat_error *err)
{
    s->labels = im_alloc(n, sizeof *s->labels);
    s->sizes = im_alloc(n, sizeof *s->sizes);
    if (!s->labels || !s->sizes)
        return im_fail_memory(err, "the labels to compare");
    memcpy(s->labels, labels, n * sizeof *labels);
    qsort(s->labels, n, sizeof *s->labels, compare_labels);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || s->labels[i] != s->labels[s->parts - 1])
            s->labels[s->parts++] = s->labels[i];
        s->sizes[s->parts - 1]++;
    }
    return IMSAT_OK;
}

/* Which part a label that occurs is. */
static size_t part_of(const side *s, int32_t label)
{
    const int32_t *at =
        bsearch(&label, s->labels, s->parts, sizeof *s->labels, compare_labels);
    return (size_t)(at - s->labels);
}

/* Sort the points by cell, then count runs. */
static imsat_status count_cells(table *t, const int32_t *predicted, const int32_t *truth,
                                imsat_error *err)
{
    uint64_t *key = im_alloc(t->n, sizeof *key);
    t->cells = im_alloc(t->n, sizeof *t->cells);
    if (!key || !t->cells) {
        im_free(key);
        return im_fail_memory(err, "the labels to compare");
    }
    for (size_t i = 0; i < t->n; i++) /* below 2^64: there are at most 2^32 labels a side */
        key[i] = (uint64_t)part_of(&t->clusters, predicted[i]) << 32 |
                 part_of(&t->classes, truth[i]);
    qsort(key, t->n, sizeof *key, compare_keys);
    for (size_t i = 0; i < t->n; i++) {
        if (i == 0 || key[i] != key[i - 1])
            t->cells[t->filled++] =
                (cell){(size_t)(key[i] >> 32), (size_t)(uint32_t)key[i], 0};
        t->cells[t->filled - 1].count++;
    }
    im_free(key);
    return IMSAT_OK;
}

/* On failure the caller clears the table, too. */
static imsat_status tabulate(table *t, const int32_t *predicted, const int32_t *truth,
                             size_t n, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (n == 0 || !predicted || !truth)
        return im_fail(err, IMSAT_EINVAL, "there are no labels to compare");
    t->n = n;
    IM_TRY(count_labels(&t->clusters, predicted, n, err));
    IM_TRY(count_labels(&t->classes, truth, n, err));
    IM_TRY(count_cells(t, predicted, truth, err));
cleanup:
    return st;
}

/* C(m, 2), in double: exact below 2^53, and safe above. */
static double pairs(size_t m)
{
    return (double)m * ((double)m - 1) / 2;
}

static double adjusted_rand(const table *t)
{
    if (t->filled == t->clusters.parts && t->filled == t->classes.parts)
        return 1; /* each cluster is a class: the only case with a denominator of 0 */
    double both = 0, in_cluster = 0, in_class = 0;
    for (size_t i = 0; i < t->filled; i++)
        both += pairs(t->cells[i].count);
    for (size_t i = 0; i < t->clusters.parts; i++)
        in_cluster += pairs(t->clusters.sizes[i]);
    for (size_t i = 0; i < t->classes.parts; i++)
        in_class += pairs(t->classes.sizes[i]);
    const double expected = in_cluster / pairs(t->n) * in_class;
    return (both - expected) / ((in_cluster + in_class) / 2 - expected);
}

static double entropy(const side *s, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < s->parts; i++) {
        const double share = (double)s->sizes[i] / (double)n;
        sum -= share * log(share);
    }
    return sum;
}

static double normalized_information(const table *t)
{
    if (t->clusters.parts == 1 || t->classes.parts == 1)
        return t->clusters.parts == t->classes.parts ? 1 : 0;
    const double n = (double)t->n;
    double information = 0;
    for (size_t i = 0; i < t->filled; i++) {
        const cell *c = &t->cells[i];
        const double share = (double)c->count / n;
        const double in_cluster = (double)t->clusters.sizes[c->cluster] / n;
        const double in_class = (double)t->classes.sizes[c->class] / n;
        information += share * log(share / in_cluster / in_class);
    }
    const double mean = (entropy(&t->clusters, t->n) + entropy(&t->classes, t->n)) / 2;
    return fmin(fmax(information / mean, 0), 1); /* rounding may leave [0, 1] by an ulp */
}

static double purity(const table *t)
{
    size_t pure = 0, largest = 0;
    for (size_t i = 0; i < t->filled; i++) {
        const cell *c = &t->cells[i];
        if (i == 0 || c->cluster != c[-1].cluster)
            largest = 0;
        if (c->count > largest) {
            pure += c->count - largest;
            largest = c->count;
        }
    }
    return (double)pure / (double)t->n;
}

/* The most points that a one-to-one matching of clusters and classes keeps, over n. */
static imsat_status accuracy(double *out, const table *t, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = t->clusters.parts, cols = t->classes.parts;
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
        cost[t->cells[i].cluster * cols + t->cells[i].class] = -(double)t->cells[i].count;
    IM_TRY(im_assignment_solve(class_of, cost, rows, cols, err));
    size_t kept = 0;
    for (size_t i = 0; i < t->filled; i++)
        if (class_of[t->cells[i].cluster] == t->cells[i].class)
            kept += t->cells[i].count;
    *out = (double)kept / (double)t->n;

cleanup:
    im_free(class_of);
    im_free(cost);
    return st;
}

imsat_status imsat_evaluate_clusters(imsat_cluster_score *score, const int32_t *predicted,
                                     const int32_t *truth, size_t n, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    table t = {0};
    double acc = 0;
    IM_TRY(tabulate(&t, predicted, truth, n, err));
    IM_TRY(accuracy(&acc, &t, err));
    *score = (imsat_cluster_score){.acc = acc,
                                   .nmi = normalized_information(&t),
                                   .ari = adjusted_rand(&t),
                                   .purity = purity(&t),
                                   .clusters = t.clusters.parts,
                                   .classes = t.classes.parts};
cleanup:
    table_clear(&t);
    return st;
}

imsat_status im_clusters_ari(double *ari, const int32_t *a, const int32_t *b, size_t n,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    table t = {0};
    IM_TRY(tabulate(&t, a, b, n, err));
    *ari = adjusted_rand(&t);
cleanup:
    table_clear(&t);
    return st;
}
