/* SPDX-License-Identifier: MIT
 * See kmeans_repair.h. It is rare: memory is taken when it happens. */
#include "linear/kmeans_repair.h"

#include "core/alloc.h"

enum { SPAN = 1024 }; /* rows of a task */

typedef struct far_row {
    double sq; /* distance from its center */
    uint32_t row;
} far_row;

typedef struct repair {
    const im_assign *assign;
    const im_centers *centers;
    im_sums *sums;
    far_row *rows;    /* (n) */
    uint32_t *empty;  /* (k): columns without rows, by their centers' numbers */
    size_t *left;     /* (columns): rows of each */
    far_row *taken;   /* (k) */
    im_real *compare; /* (2,d) */
} repair;

static void far_task(void *context, size_t task, int thread)
{
    const repair *r = context;
    const im_rows *rows = &r->assign->rows;
    const size_t d = r->centers->d, first = task * SPAN;
    const size_t end = rows->n - first < SPAN ? rows->n : first + SPAN;
    im_real *room = r->sums->room + (size_t)thread * d;
    for (size_t i = first; i < end; i++) {
        const im_real *row = im_rows_scaled(rows, i, room, &r->sums->read[thread]);
        const im_real *center = r->centers->at + r->assign->column[i] * d;
        double sq = 0;
        for (size_t j = 0; j < d; j++)
            sq += ((double)row[j] - center[j]) * ((double)row[j] - center[j]);
        r->rows[i] = (far_row){sq, (uint32_t)i};
    }
}

static int farthest_first(const void *a, const void *b)
{
    const far_row *x = a, *y = b;
    if (x->sq != y->sq)
        return x->sq > y->sq ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Equal rows have the same center, and so the same distance. */
static bool was_taken(const repair *r, size_t count, const far_row *candidate)
{
    const im_rows *rows = &r->assign->rows;
    const size_t d = r->centers->d;
    for (size_t i = count; i-- > 0 && r->taken[i].sq <= candidate->sq;) {
        im_rows_copy(r->compare, rows, candidate->row, &r->sums->read[0]);
        im_rows_copy(r->compare + d, rows, r->taken[i].row, &r->sums->read[0]);
        if (memcmp(r->compare, r->compare + d, d * sizeof *r->compare) == 0)
            return true;
    }
    return false;
}

/* Give rows to `count` empty clusters. */
static void give(const repair *r, im_assign *assign, size_t count)
{
    size_t given = 0;
    for (size_t i = 0; i < assign->rows.n && given < count && r->rows[i].sq > 0; i++) {
        const size_t row = r->rows[i].row;
        const uint32_t column = assign->column[row];
        if (r->left[column] < 2 || was_taken(r, given, &r->rows[i]))
            continue;
        r->left[column]--;
        r->taken[given] = r->rows[i];
        assign->column[row] = r->empty[given++];
        im_assign_forget(assign, r->centers, row);
    }
}

/* empty = columns without rows. Returns how many there are. */
static size_t find_empty(uint32_t *empty, const im_sums *sums, const im_centers *centers)
{
    size_t count = 0;
    for (size_t c = 0; c < centers->k; c++) {
        const uint32_t column = centers->column[c];
        if (sums->count[column] > 0)
            continue;
        if (empty)
            empty[count] = column;
        count++;
    }
    return count;
}

imsat_status im_kmeans_repair(im_assign *assign, im_sums *sums, const im_centers *centers,
                              im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage still = im_stage_part(stage, 0, 0);
    const size_t n = assign->rows.n, count = find_empty(NULL, sums, centers);
    size_t moved = 0;
    repair r = {.assign = assign, .centers = centers, .sums = sums};
    if (count == 0)
        return IMSAT_OK;
    r.rows = im_alloc(n, sizeof *r.rows);
    r.empty = im_alloc(count, sizeof *r.empty);
    r.left = im_alloc(centers->columns, sizeof *r.left);
    r.taken = im_alloc(count, sizeof *r.taken);
    r.compare = im_alloc(2 * centers->d, sizeof *r.compare);
    if (!r.rows || !r.empty || !r.left || !r.taken || !r.compare) {
        st = im_fail_memory(err, "clusters without rows");
        goto cleanup;
    }
    find_empty(r.empty, sums, centers);
    memcpy(r.left, sums->count, centers->columns * sizeof *r.left);
    IM_TRY(im_stage_run(&still, pool, far_task, &r, (n + SPAN - 1) / SPAN, SIZE_MAX, err));
    qsort(r.rows, n, sizeof *r.rows, farthest_first);
    give(&r, assign, count);
    IM_TRY(im_sums_follow(&moved, sums, assign->column, pool, &still, err));

cleanup:
    im_free(r.rows);
    im_free(r.empty);
    im_free(r.left);
    im_free(r.taken);
    im_free(r.compare);
    return st;
}
