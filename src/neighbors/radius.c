/* SPDX-License-Identifier: MIT
 *
 * sigma_t of all rows: approximate (approx.h); or exact, by sketches where the data allows it
 * (shortcut.h), else in three steps.
 *
 *     candidates  of each row the t + slack nearest by an approximate distance: O(n^2 d), by
 *                 matrix products in float
 *     settle      their distances in double, from the prepared rows themselves; the t-th of
 *                 them is sigma_t if no closer row can be missing (bound.h)
 *     rescan      the rows where one could be missing, against all rows, in double
 *
 * So the result is that of the plain double loop, up to the order of the d terms of a sum.
 * The slack makes rescans rare: one is needed when some slack rows lie just beyond sigma_t,
 * within the error of the approximate distance, about d 2^-24 (|x| + sigma_t / 2)^2 with |x|
 * counted from the center of the data. MNIST has no such row in 70000. The worst case,
 * all points in a few clumps far tighter than their distance, costs n rescans: O(n^2 d) still,
 * but without the matrix products.
 *
 * Memory: 8 (t + slack) + 16 bytes a row, and the scratch of each thread.
 */
#include "neighbors/radius.h"

#include "core/alloc.h"
#include "neighbors/approx.h"
#include "neighbors/candidates.h"
#include "neighbors/settle.h"
#include "neighbors/shortcut.h"

#include <assert.h>
#include <math.h>

enum { SLACK = 8 }; /* candidates beyond t, and t / SLACK more */

/* Shares of the work at which the steps begin, for progress. */
static const double SETTLE_FROM = 0.95, RESCAN_FROM = 0.98;

static size_t capacity_for(size_t t)
{
    return t + SLACK + t / SLACK;
}

/* Refuse what has no answer, and clamp t to n - 1. */
static imsat_status check(size_t *t, const imsat_data *data, imsat_error *err)
{
    if (*t < 1)
        return im_fail(err, IMSAT_EINVAL, "the neighbor's rank t is 0; the least is 1");
    if (data->rows > 1 && *t > data->rows - 1)
        *t = data->rows - 1;
    return im_candidates_check(data, capacity_for(*t), err);
}

/* Refuse before long work what there is no memory for: 8 bytes for each candidate of a row and
 * some 60 beside. */
static imsat_status afford(size_t n, size_t candidates, imsat_error *err)
{
    enum { A_ROW = 60 };
    return im_alloc_affords(n * (sizeof(uint64_t) * candidates + A_ROW))
               ? IMSAT_OK
               : im_fail_memory(err, "the neighbors of all rows (--neighbor says how many)");
}

/* Scan again the rows for which a closer one may be missing. */
static imsat_status rescan(double *sigma, const im_candidates *found, const im_frame *frame,
                           size_t t, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    size_t count = 0;
    uint32_t *rows = im_alloc(frame->n, sizeof *rows);
    if (!rows)
        return im_fail_memory(err, "the radius");
    for (size_t i = 0; i < frame->n; i++)
        if (sigma[i] > 0 && !im_candidates_complete(found, i, sigma[i]))
            rows[count++] = (uint32_t)i;
    const imsat_status st = im_settle_again(sigma, frame, rows, count, t, pool, stage, err);
    im_free(rows);
    return st;
}

static imsat_status by_all_products(double *sigma, const im_frame *frame, size_t t,
                                    im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage find = im_stage_part(stage, 0, SETTLE_FROM);
    const im_stage settle = im_stage_part(stage, SETTLE_FROM, RESCAN_FROM);
    const im_stage again = im_stage_part(stage, RESCAN_FROM, 1);
    im_candidates found = {0};
    IM_TRY(im_candidates_find(&found, frame, capacity_for(t), pool, &find, err));
    const im_lists lists = {.count = frame->n,
                            .keys = found.keys,
                            .capacity = found.capacity,
                            .bound = &found.bound,
                            .row_sq_norm = found.sq_norm};
    IM_TRY(im_settle_lists(sigma, frame, &lists, t, pool, &settle, err));
    IM_TRY(rescan(sigma, &found, frame, t, pool, &again, err));

cleanup:
    im_candidates_clear(&found);
    return st;
}

imsat_status im_radius_exact_from(float *radius, const imsat_data *data,
                                  const im_preprocess *pre, size_t t, size_t shortcut_from,
                                  im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = check(&t, data, err);
    if (st != IMSAT_OK)
        return st;
    const im_stage still = im_stage_part(stage, 0, 0);
    im_frame frame = {0};
    bool done = false;
    double *sigma = im_alloc(data->rows, sizeof *sigma);
    if (!sigma)
        return im_fail_memory(err, "the radius");
    IM_TRY(im_frame_fit(&frame, data, pre, pool, &still, err));
    if (data->rows >= shortcut_from && !im_frame_is_sparse(&frame)) /* sparse rows are short */
        IM_TRY(im_shortcut_radius(sigma, &done, &frame, t, pool, stage, err));
    if (!done)
        IM_TRY(by_all_products(sigma, &frame, t, pool, stage, err));
    IM_TRY(im_settle_round(radius, sigma, &frame, err));

cleanup:
    im_frame_clear(&frame);
    im_free(sigma);
    return st;
}

imsat_status im_radius_exact(float *radius, const imsat_data *data, const im_preprocess *pre,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    return im_radius_exact_from(radius, data, pre, t, IM_RADIUS_SHORTCUT_FROM, pool, stage,
                                err);
}

/* ---- either way ------------------------------------------------------------ */

imsat_radius_method im_radius_resolve(imsat_radius_method method, size_t n)
{
    if (method != IMSAT_RADIUS_AUTO)
        return method;
    return n < IM_RADIUS_APPROX_FROM ? IMSAT_RADIUS_EXACT : IMSAT_RADIUS_APPROX;
}

imsat_status im_radius_find(float *radius, imsat_radius_info *info, const imsat_data *data,
                            const im_preprocess *pre, size_t t, imsat_radius_method method,
                            im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool taken = false;
    assert(method != IMSAT_RADIUS_AUTO);
    IM_TRY(check(&t, data, err));
    const bool tried = method == IMSAT_RADIUS_APPROX && im_approx_fits(data->rows, t);
    IM_TRY(afford(data->rows, tried ? t : capacity_for(t), err));
    const im_stage rest = im_stage_part(stage, tried ? IM_APPROX_TRIED : 0, 1);
    if (tried)
        IM_TRY(im_approx_radius(radius, info, &taken, data, pre, t, pool, stage, err));
    if (!taken) {
        IM_TRY(im_radius_exact(radius, data, pre, t, pool, &rest, err));
        *info = (imsat_radius_info){.method = IMSAT_RADIUS_EXACT};
    }

cleanup:
    return st;
}

/* ---- the oracle ------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distances from row i of x (n,d) to the others, sorted, in sq (n - 1). */
static void all_distances(double *sq, const float *x, size_t i, size_t n, size_t d)
{
    size_t count = 0;
    for (size_t other = 0; other < n; other++) {
        if (other == i)
            continue;
        double sum = 0;
        for (size_t j = 0; j < d; j++) {
            const double difference = (double)x[i * d + j] - x[other * d + j];
            sum += difference * difference;
        }
        sq[count++] = sum;
    }
    qsort(sq, count, sizeof *sq, ascending);
}

imsat_status im_radius_ref(double *radius, const imsat_data *data, const im_preprocess *pre,
                           size_t t, imsat_error *err)
{
    const size_t n = data->rows, d = data->dim;
    imsat_status st = check(&t, data, err);
    if (st != IMSAT_OK)
        return st;
    size_t floats = 0;
    const bool fits = im_size_mul(&floats, n, d);
    float *x = fits ? im_alloc(floats, sizeof *x) : NULL;
    double *sq = im_alloc(n, sizeof *sq), *prepare = im_alloc(d, sizeof *prepare);
    if (!x || !sq || !prepare) {
        st = im_fail_memory(err, "the reference radius");
        goto cleanup;
    }
    for (size_t i = 0; i < n; i++)
        im_preprocess_read(x + i * d, data, i, pre, prepare);
    for (size_t i = 0; i < n; i++) {
        all_distances(sq, x, i, n, d);
        radius[i] = sqrt(sq[t - 1]);
    }

cleanup:
    im_free(x);
    im_free(sq);
    im_free(prepare);
    return st;
}
