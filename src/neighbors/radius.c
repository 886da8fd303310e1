/* SPDX-License-Identifier: MIT
 *
 * sigma_t of all rows, exact, in three steps.
 *
 *     candidates  of each row the t + slack nearest by an approximate distance: O(n^2 d), by
 *                 matrix products in float
 *     settle      their distances in double, from the prepared rows themselves; the t-th of
 *                 them is sigma_t if no closer row can be missing (candidates.h has the bound)
 *     rescan      the rows where one could be missing, against all rows, in double
 *
 * So the result is that of the plain double loop, up to the order of the d terms of a sum.
 * The slack makes rescans rare: one is needed when some slack rows lie just beyond sigma_t,
 * within the error of the approximate distance, about d 2^-24 (|x| + sigma_t / 2)^2 with |x|
 * counted from the center of the data. MNIST has no such row in 70000. The worst case,
 * all points in a few clumps far tighter than their distance, costs n rescans: O(n^2 d) still,
 * but without the matrix products.
 *
 * Memory: 8 (t + slack) + 17 bytes a row, and the scratch of each thread.
 */
#include "neighbors/radius.h"

#include "core/alloc.h"
#include "core/real.h"
#include "neighbors/keep.h"

#include <math.h>

enum {
    SLACK = 8,        /* candidates beyond t, and t / SLACK more */
    LANES = 8,        /* partial sums of a distance */
    GROUP = 16,       /* rows rescanned together: a prepared row serves them all */
    SPAN = 256,       /* rows settled by one task */
    TASKS_A_CALL = 64 /* between two calls of progress */
};

/* Shares of the work at which the steps begin, for progress. */
static const double SETTLE_FROM = 0.95, RESCAN_FROM = 0.98;

typedef struct scratch {
    float *x;        /* (GROUP, d) */
    float *y;        /* (d) */
    double *prepare; /* (d) */
    uint64_t *heap;  /* (GROUP, t) */
} scratch;

typedef struct sigma {
    const imsat_data *data;
    const im_preprocess *pre;
    size_t n, d, t;
    im_candidates candidates;
    float *radius;        /* (n) */
    unsigned char *doubt; /* (n): 1 if a closer row may be missing */
    uint32_t *rescan;     /* (n): the rows in doubt, `rescans` of them */
    size_t rescans;
    size_t first_task; /* of this call of the pool */
    scratch *scratch;  /* (threads) */
    void *scratch_block;
    im_radius_progress_fn progress;
    void *user;
} sigma;

static void prepared_row(float *out, const sigma *job, size_t row, double *prepare)
{
    im_data_row(out, job->data, row);
    im_preprocess_row(out, out, job->pre, prepare);
}

/* |x - y|^2 in double; LANES sums side by side, added in order. */
IM_CLONES static double sq_distance(const float *x, const float *y, size_t d)
{
    double lane[LANES] = {0}, sq = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            const double difference = (double)x[j + l] - y[j + l];
            lane[l] += difference * difference;
        }
    }
    for (; j < d; j++)
        sq += ((double)x[j] - y[j]) * ((double)x[j] - y[j]);
    for (size_t l = 0; l < LANES; l++)
        sq += lane[l];
    return sq;
}

static void offer(uint64_t *heap, size_t t, double sq)
{
    const uint64_t key = im_keep_number(sq);
    if (key < heap[0])
        im_keep_replace(heap, t, key);
}

static void settle_row(sigma *job, size_t row, scratch *w)
{
    const im_candidates *c = &job->candidates;
    const uint64_t *keys = c->keys + row * c->capacity;
    im_keep_reset(w->heap, job->t, im_keep_number(INFINITY));
    prepared_row(w->x, job, row, w->prepare);
    for (size_t i = 0; i < c->capacity; i++) {
        prepared_row(w->y, job, im_keep_row(keys[i]), w->prepare);
        offer(w->heap, job->t, sq_distance(w->x, w->y, job->d));
    }
    const double distance = sqrt(im_keep_as_number(w->heap[0]));
    job->radius[row] = (float)distance;
    job->doubt[row] = distance > 0 && !im_candidates_complete(c, row, distance);
}

static void settle_task(void *context, size_t task, int thread)
{
    sigma *job = context;
    const size_t from = (job->first_task + task) * SPAN;
    const size_t to = job->n - from < SPAN ? job->n : from + SPAN;
    for (size_t row = from; row < to; row++)
        settle_row(job, row, &job->scratch[thread]);
}

static void rescan_task(void *context, size_t task, int thread)
{
    sigma *job = context;
    scratch *w = &job->scratch[thread];
    const size_t from = (job->first_task + task) * GROUP;
    const size_t count = job->rescans - from < GROUP ? job->rescans - from : GROUP;
    const uint32_t *rows = job->rescan + from;
    im_keep_reset(w->heap, GROUP * job->t, im_keep_number(INFINITY));
    for (size_t i = 0; i < count; i++)
        prepared_row(w->x + i * job->d, job, rows[i], w->prepare);
    for (size_t other = 0; other < job->n; other++) {
        prepared_row(w->y, job, other, w->prepare);
        for (size_t i = 0; i < count; i++)
            if (other != rows[i])
                offer(w->heap + i * job->t, job->t,
                      sq_distance(w->x + i * job->d, w->y, job->d));
    }
    for (size_t i = 0; i < count; i++)
        job->radius[rows[i]] = (float)sqrt(im_keep_as_number(w->heap[i * job->t]));
}

/* Run tasks a few at a time, reporting shares of the work from `begin` to `end`. */
static imsat_status run(sigma *job, im_pool *pool, im_task_fn task, size_t tasks, double begin,
                        double end, imsat_error *err)
{
    for (size_t i = 0; i < tasks; i += TASKS_A_CALL) {
        const size_t count = tasks - i < TASKS_A_CALL ? tasks - i : TASKS_A_CALL;
        job->first_task = i;
        im_pool_run(pool, task, job, count);
        const double share = begin + (end - begin) * (double)(i + count) / (double)tasks;
        if (job->progress && job->progress(job->user, share))
            return im_fail(err, IMSAT_ESTOPPED, "stopped while computing the radius");
    }
    return IMSAT_OK;
}

static int report_candidates(void *user, double fraction)
{
    const sigma *job = user;
    return job->progress ? job->progress(job->user, SETTLE_FROM * fraction) : 0;
}

static void carve(scratch *w, im_carver *c, const sigma *job)
{
    w->x = im_carve(c, GROUP * job->d, sizeof *w->x);
    w->y = im_carve(c, job->d, sizeof *w->y);
    w->prepare = im_carve(c, job->d, sizeof *w->prepare);
    w->heap = im_carve(c, GROUP * job->t, sizeof *w->heap);
}

static imsat_status allocate(sigma *job, size_t threads, imsat_error *err)
{
    im_carver carver = {NULL, 0};
    scratch one;
    carve(&one, &carver, job);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    job->radius = im_alloc(job->n, sizeof *job->radius);
    job->doubt = im_alloc(job->n, sizeof *job->doubt);
    job->scratch = im_alloc(threads, sizeof *job->scratch);
    job->scratch_block = im_alloc(threads, bytes);
    if (!job->radius || !job->doubt || !job->scratch || !job->scratch_block)
        return im_fail_memory(err, "the radius");
    for (size_t i = 0; i < threads; i++) {
        carver = (im_carver){(char *)job->scratch_block + i * bytes, 0};
        carve(&job->scratch[i], &carver, job);
    }
    return IMSAT_OK;
}

static imsat_status list_doubts(sigma *job, imsat_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < job->n; i++)
        count += job->doubt[i];
    job->rescan = im_alloc(count, sizeof *job->rescan);
    if (!job->rescan)
        return im_fail_memory(err, "the radius");
    for (size_t i = 0; i < job->n; i++)
        if (job->doubt[i])
            job->rescan[job->rescans++] = (uint32_t)i;
    return IMSAT_OK;
}

static void job_clear(sigma *job)
{
    im_candidates_clear(&job->candidates);
    im_free(job->radius);
    im_free(job->doubt);
    im_free(job->rescan);
    im_free(job->scratch);
    im_free(job->scratch_block);
}

static size_t capacity_for(size_t t)
{
    return t + SLACK + t / SLACK;
}

/* Refuse what has no answer, and clamp t. */
static imsat_status check(size_t *t, const imsat_data *data, imsat_error *err)
{
    if (*t < 1)
        return im_fail(err, IMSAT_EINVAL, "the neighbor's rank t is 0; the least is 1");
    if (data->rows > 1 && *t > data->rows - 1)
        *t = data->rows - 1;
    return im_candidates_check(data, capacity_for(*t), err);
}

imsat_status im_radius_exact(float *radius, const imsat_data *data, const im_preprocess *pre,
                             size_t t, im_pool *pool, im_radius_progress_fn progress,
                             void *user, imsat_error *err)
{
    imsat_status st = check(&t, data, err);
    if (st != IMSAT_OK)
        return st;
    sigma job = {.data = data,
                 .pre = pre,
                 .n = data->rows,
                 .d = data->dim,
                 .t = t,
                 .progress = progress,
                 .user = user};
    IM_TRY(allocate(&job, (size_t)im_pool_threads(pool), err));
    IM_TRY(im_candidates_find(&job.candidates, data, pre, capacity_for(t), pool,
                              report_candidates, &job, err));
    IM_TRY(run(&job, pool, settle_task, (job.n + SPAN - 1) / SPAN, SETTLE_FROM, RESCAN_FROM,
               err));
    IM_TRY(list_doubts(&job, err));
    IM_TRY(
        run(&job, pool, rescan_task, (job.rescans + GROUP - 1) / GROUP, RESCAN_FROM, 1, err));
    memcpy(radius, job.radius, job.n * sizeof *radius);

cleanup:
    job_clear(&job);
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
    for (size_t i = 0; i < n; i++) {
        im_data_row(x + i * d, data, i);
        im_preprocess_row(x + i * d, x + i * d, pre, prepare);
    }
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
