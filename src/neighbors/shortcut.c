/* SPDX-License-Identifier: MIT
 * See shortcut.h. */
#include "neighbors/shortcut.h"

#include "core/alloc.h"
#include "linear/knn.h"
#include "neighbors/candidates.h"
#include "neighbors/settle.h"
#include "neighbors/sketch.h"

#include <assert.h>
#include <math.h>

enum {
    MOST_T = 40,   /* beyond, the lists of candidates are too long */
    TRIED = 192,   /* rows that are tried first */
    WIDE = 1024,   /* candidates of a row in the second try */
    AT_ONCE = 8192 /* rows of the second try whose candidates are held at a time */
};

/* Of the rows tried, or of all: more that are not settled at once, and products in full are
 * the better way. */
static const double MOST_OPEN = 0.2;
static const size_t MOST_BYTES = (size_t)1 << 30; /* of the sketches */

/* Shares of the work at which the steps begin, for progress. */
static const double FIND_FROM = 0.05, SETTLE_FROM = 0.6, WIDEN_FROM = 0.85;

/* MNIST, t 10, sketches of 128: 84 candidates leave 7 % of the rows open. The time hardly
 * depends on it: at best 7.3 s with 24 + 4 t, 6.8 s with 24 + 6 t, 6.7 s with 24 + 8 t. */
static size_t capacity_for(size_t t)
{
    return 24 + 6 * t;
}

/* Narrow sketches are tried first: 128 of 784 coordinates do for MNIST, 256 of 960 for GIST
 * descriptors of street numbers. Beyond half of the columns there is nothing to gain. */
static size_t first_width(size_t d)
{
    return d < 384 ? 64 : 128;
}

/* Bytes that are needed beside the sketches: for the candidates of all rows, for what finds
 * the directions (linear/pca.h) and for the second try. */
static size_t needed_beside(const im_frame *frame, size_t t)
{
    enum { A_ROW = 32, A_COLUMN = 1 << 15, OTHERS = 1 << 23 };
    return frame->n * (capacity_for(t) * sizeof(uint64_t) + A_ROW) + frame->d * A_COLUMN +
           OTHERS;
}

static bool fits(const im_frame *frame, size_t width, size_t t)
{
    return width <= frame->d / 2 && width <= 2 * first_width(frame->d) &&
           frame->n <=
               im_alloc_spare(MOST_BYTES, needed_beside(frame, t)) / sizeof(im_real) / width;
}

/* The computed squared distance within which all rows closer than `distance` to the row at a
 * place must be; a float, rounded up. */
static float sq_bar_of(const im_sketch *sketch, size_t place, double distance)
{
    const double bar = im_bound_sq(&sketch->bound, sketch->row_sq_norm[place], distance);
    return nextafterf((float)bar, INFINITY);
}

static im_lists lists_of(const im_sketch *sketch, const uint32_t *places, size_t count,
                         const uint64_t *keys, size_t capacity)
{
    return (im_lists){places, count, keys, capacity, &sketch->bound, sketch->row_sq_norm};
}

/* ---- is it worth it? -------------------------------------------------------- */

/* The share of a few rows that candidates alone do not settle. */
static imsat_status try_some(double *open, const im_sketch *sketch, const im_frame *frame,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t count = frame->n < TRIED ? frame->n : TRIED, capacity = capacity_for(t);
    uint32_t place[TRIED];
    double sigma[TRIED];
    size_t left = 0;
    im_knn nearest = {0};
    for (size_t i = 0; i < count; i++)
        place[i] = (uint32_t)(frame->n * i / count);
    IM_TRY(im_knn_find(&nearest, &sketch->rows, sketch->sq_norm, place, NULL, count, capacity,
                       pool, stage, err));
    const im_lists lists = lists_of(sketch, place, count, nearest.keys, capacity);
    IM_TRY(im_settle_lists(sigma, frame, &lists, t, pool, stage, err));
    for (size_t i = 0; i < count; i++)
        left += im_knn_sq_limit(&nearest, i) < sq_bar_of(sketch, place[i], sigma[i]);
    *open = (double)left / (double)count;

cleanup:
    im_knn_clear(&nearest);
    return st;
}

/* ---- rows that are still open ------------------------------------------------ */

/* All rows that are not settled by a list whose limit is sq_limit[place]: a list of them. */
static size_t list_open(uint32_t *rows, const im_sketch *sketch, const float *sq_limit,
                        const double *sigma)
{
    size_t count = 0;
    for (size_t i = 0; i < sketch->rows.n; i++)
        if (sigma[i] > 0 && sq_limit[i] < sq_bar_of(sketch, i, sigma[i]))
            rows[count++] = (uint32_t)i;
    return count;
}

/* Settle rows (count) among all whose sketch is within their bar; those that have too many
 * are put to the front of rows, and *count becomes their number. */
static imsat_status widen(double *sigma, uint32_t *rows, size_t *count,
                          const im_sketch *sketch, const im_frame *frame, size_t t,
                          im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_knn nearest = {0};
    size_t left = 0;
    float *sq_within = im_alloc(*count, sizeof *sq_within);
    double *settled = im_alloc(*count, sizeof *settled);
    if (!sq_within || !settled) {
        st = im_fail_memory(err, "the radius");
        goto cleanup;
    }
    for (size_t i = 0; i < *count; i++)
        sq_within[i] = sq_bar_of(sketch, rows[i], sigma[rows[i]]);
    IM_TRY(im_knn_find(&nearest, &sketch->rows, sketch->sq_norm, rows, sq_within, *count, WIDE,
                       pool, stage, err));
    const im_lists lists = lists_of(sketch, rows, *count, nearest.keys, WIDE);
    IM_TRY(im_settle_lists(settled, frame, &lists, t, pool, stage, err));
    for (size_t i = 0; i < *count; i++) {
        const uint32_t row = rows[i];
        sigma[row] = settled[i];
        if (im_knn_sq_limit(&nearest, i) < sq_within[i])
            rows[left++] = row;
    }
    *count = left;

cleanup:
    im_knn_clear(&nearest);
    im_free(sq_within);
    im_free(settled);
    return st;
}

/* Rows whose candidates are held at a time, AT_ONCE or what a limit on memory leaves. */
static size_t rows_at_once(void)
{
    const size_t fit = im_alloc_left() / 4 / (WIDE * sizeof(uint64_t));
    return fit < TRIED ? TRIED : im_size_min(fit, AT_ONCE);
}

static imsat_status settle_open(double *sigma, uint32_t *rows, size_t count,
                                const im_sketch *sketch, const im_frame *frame, size_t t,
                                im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t left = 0;
    const im_stage part = im_stage_part(stage, 0, 1), last = im_stage_part(stage, 1, 1);
    const size_t most = rows_at_once();
    for (size_t from = 0; from < count; from += most) {
        size_t some = im_size_min(count - from, most);
        const double share = (double)from / (double)count;
        const im_stage still = im_stage_part(&part, share, share);
        IM_TRY(im_stage_report(&part, share, err));
        IM_TRY(widen(sigma, rows + from, &some, sketch, frame, t, pool, &still, err));
        memmove(rows + left, rows + from, some * sizeof *rows);
        left += some;
    }
    IM_TRY(im_settle_again(sigma, frame, rows, left, t, pool, &last, err));

cleanup:
    return st;
}

/* ---- all rows ----------------------------------------------------------------- */

static imsat_status take(double *sigma, bool *taken, const im_sketch *sketch,
                         const im_frame *frame, size_t t, im_pool *pool, const im_stage *stage,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage find = im_stage_part(stage, FIND_FROM, SETTLE_FROM);
    const im_stage settle = im_stage_part(stage, SETTLE_FROM, WIDEN_FROM);
    const im_stage again = im_stage_part(stage, WIDEN_FROM, 1);
    im_candidates found = {0};
    uint32_t *rows = im_alloc(frame->n, sizeof *rows);
    if (!rows)
        return im_fail_memory(err, "the radius");
    IM_TRY(im_candidates_find(&found, &sketch->rows, capacity_for(t), pool, &find, err));
    const im_lists lists = lists_of(sketch, NULL, frame->n, found.keys, found.capacity);
    IM_TRY(im_settle_lists(sigma, frame, &lists, t, pool, &settle, err));
    const size_t open = list_open(rows, sketch, found.sq_limit, sigma);
    if ((double)open > MOST_OPEN * (double)frame->n)
        goto cleanup;
    im_candidates_clear(&found);
    IM_TRY(settle_open(sigma, rows, open, sketch, frame, t, pool, &again, err));
    *taken = true;

cleanup:
    im_candidates_clear(&found);
    im_free(rows);
    return st;
}

/* Sketches of one width. *hopeless: wider ones will not do, either. */
static imsat_status try_width(double *sigma, bool *taken, bool *hopeless,
                              const im_frame *frame, size_t width, size_t t, im_pool *pool,
                              const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage still = im_stage_part(stage, 0, 0);
    im_sketch sketch = {0};
    double open = 1;
    IM_TRY(im_sketch_new(&sketch, frame, width, pool, &still, err));
    *hopeless = !sketch.made;
    if (sketch.made)
        IM_TRY(try_some(&open, &sketch, frame, t, pool, &still, err));
    if (open <= MOST_OPEN)
        IM_TRY(take(sigma, taken, &sketch, frame, t, pool, stage, err));

cleanup:
    im_sketch_clear(&sketch);
    return st;
}

imsat_status im_shortcut_radius(double *sigma, bool *taken, const im_frame *frame, size_t t,
                                im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool hopeless = false;
    *taken = false;
    assert(t >= 1);
    if (t > MOST_T || frame->n <= capacity_for(t))
        return IMSAT_OK;
    for (size_t width = first_width(frame->d); !*taken && !hopeless && fits(frame, width, t);
         width *= 2)
        IM_TRY(try_width(sigma, taken, &hopeless, frame, width, t, pool, stage, err));

cleanup:
    return st;
}
