/* SPDX-License-Identifier: MIT
 * See settle.h. */
#include "neighbors/settle.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "linear/keep.h"

#include <assert.h>
#include <math.h>

enum {
    GROUP = 16,       /* rows scanned together: a prepared row serves them all */
    SPAN = 256,       /* rows settled by one task */
    TASKS_A_CALL = 64 /* between two calls of progress */
};

typedef struct scratch {
    float *x;        /* (GROUP, d) */
    float *y;        /* (d) */
    double *prepare; /* (d) */
    uint64_t *heap;  /* (GROUP, t) */
    uint64_t *keys;  /* (capacity) sorted */
} scratch;

typedef struct job {
    const im_frame *frame;
    im_lists lists;
    size_t t;
    double *out;
    scratch *per_thread; /* (threads) */
    void *memory;
} job;

static bool offer(uint64_t *heap, size_t t, double sq)
{
    const uint64_t key = im_keep_number(sq);
    if (key >= heap[0])
        return false;
    im_keep_replace(heap, t, key);
    return true;
}

static size_t place_of(const job *j, size_t i)
{
    return j->lists.places ? j->lists.places[i] : i;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The computed squared distance beyond which no candidate is among the t nearest of the row.
 */
static double sq_bar_of(const job *j, size_t place, const uint64_t *heap)
{
    const double sq = im_keep_as_number(heap[0]);
    if (!j->lists.bound || !isfinite(sq))
        return INFINITY;
    return im_bound_sq(j->lists.bound, j->lists.row_sq_norm[place], sqrt(sq));
}

static void settle_row(const job *j, size_t i, scratch *w)
{
    const size_t capacity = j->lists.capacity, place = place_of(j, i);
    uint64_t *keys = w->keys;
    memcpy(keys, j->lists.keys + i * capacity, capacity * sizeof *keys);
    if (j->lists.bound)
        qsort(keys, capacity, sizeof *keys, ascending);
    im_keep_reset(w->heap, j->t, im_keep_number(INFINITY));
    im_frame_prepared(w->x, j->frame, place, w->prepare);
    double sq_bar = INFINITY;
    for (size_t k = 0; k < capacity && im_keep_value(keys[k]) <= sq_bar; k++) {
        const uint32_t other = im_keep_row(keys[k]);
        if (other == UINT32_MAX)
            continue;
        if (k + 1 < capacity && im_keep_row(keys[k + 1]) != UINT32_MAX)
            im_data_prefetch(j->frame->data, im_frame_row(j->frame, im_keep_row(keys[k + 1])));
        im_frame_prepared(w->y, j->frame, other, w->prepare);
        if (offer(w->heap, j->t, im_lanes_sq_distance(w->x, w->y, j->frame->d)))
            sq_bar = sq_bar_of(j, place, w->heap);
    }
    j->out[i] = sqrt(im_keep_as_number(w->heap[0]));
}

static void settle_task(void *context, size_t task, int thread)
{
    const job *j = context;
    const size_t from = task * SPAN,
                 to = j->lists.count - from < SPAN ? j->lists.count : from + SPAN;
    for (size_t i = from; i < to; i++)
        settle_row(j, i, &j->per_thread[thread]);
}

static void scan_task(void *context, size_t task, int thread)
{
    const job *j = context;
    const size_t d = j->frame->d, from = task * GROUP;
    const size_t count = j->lists.count - from < GROUP ? j->lists.count - from : GROUP;
    scratch *w = &j->per_thread[thread];
    im_keep_reset(w->heap, GROUP * j->t, im_keep_number(INFINITY));
    for (size_t i = 0; i < count; i++)
        im_frame_prepared(w->x + i * d, j->frame, place_of(j, from + i), w->prepare);
    for (size_t other = 0; other < j->frame->n; other++) {
        im_frame_prepared(w->y, j->frame, other, w->prepare);
        for (size_t i = 0; i < count; i++)
            if (other != place_of(j, from + i))
                offer(w->heap + i * j->t, j->t, im_lanes_sq_distance(w->x + i * d, w->y, d));
    }
    for (size_t i = 0; i < count; i++)
        j->out[from + i] = sqrt(im_keep_as_number(w->heap[i * j->t]));
}

static void carve(scratch *w, im_carver *c, const job *j)
{
    const size_t d = j->frame->d, t = j->t;
    w->x = im_carve(c, GROUP * d, sizeof *w->x);
    w->y = im_carve(c, d, sizeof *w->y);
    w->prepare = im_carve(c, d, sizeof *w->prepare);
    w->heap = im_carve(c, GROUP * t, sizeof *w->heap);
    w->keys = im_carve(c, j->lists.capacity, sizeof *w->keys);
}

/* Run a task for every rows_a_task rows of the lists, with scratch for each thread. */
static imsat_status run(job *j, im_task_fn task, size_t rows_a_task, im_pool *pool,
                        const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(pool);
    const im_stage whole = im_stage_part(stage, 0, 1);
    im_carver carver = {NULL, 0};
    scratch one;
    carve(&one, &carver, j);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    j->per_thread = im_alloc(threads, sizeof *j->per_thread);
    j->memory = im_alloc(threads, bytes);
    if (!j->per_thread || !j->memory) {
        st = im_fail_memory(err, "the radius");
        goto cleanup;
    }
    for (size_t i = 0; i < threads; i++) {
        carver = (im_carver){(char *)j->memory + i * bytes, 0};
        carve(&j->per_thread[i], &carver, j);
    }
    IM_TRY(im_stage_run(&whole, pool, task, j,
                        (j->lists.count + rows_a_task - 1) / rows_a_task, TASKS_A_CALL, err));

cleanup:
    im_free(j->per_thread);
    im_free(j->memory);
    return st;
}

imsat_status im_settle_lists(double *out, const im_frame *frame, const im_lists *lists,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    job j = {.frame = frame, .lists = *lists, .t = t, .out = out};
    assert(t >= 1 && (!lists->bound || lists->row_sq_norm));
    return run(&j, settle_task, SPAN, pool, stage, err);
}

imsat_status im_settle_scan(double *out, const im_frame *frame, const uint32_t *places,
                            size_t count, size_t t, im_pool *pool, const im_stage *stage,
                            imsat_error *err)
{
    job j = {.frame = frame, .lists = {.places = places, .count = count}, .t = t, .out = out};
    assert(1 <= t && t < frame->n);
    return run(&j, scan_task, GROUP, pool, stage, err);
}

imsat_status im_settle_again(double *sigma, const im_frame *frame, const uint32_t *places,
                             size_t count, size_t t, im_pool *pool, const im_stage *stage,
                             imsat_error *err)
{
    double *scanned = im_alloc(count, sizeof *scanned);
    if (!scanned)
        return im_fail_memory(err, "the radius");
    const imsat_status st = im_settle_scan(scanned, frame, places, count, t, pool, stage, err);
    for (size_t i = 0; st == IMSAT_OK && i < count; i++)
        sigma[places[i]] = scanned[i];
    im_free(scanned);
    return st;
}

imsat_status im_settle_round(float *radius, const double *sigma, const im_frame *frame,
                             imsat_error *err)
{
    for (size_t i = 0; i < frame->n; i++)
        if (!isfinite((float)sigma[i]))
            return im_fail(err, IMSAT_EINVAL,
                           "the radius of row %zu (from 0) is %g, beyond the range of float; "
                           "take a smaller scale, or center the data",
                           im_frame_row(frame, i), sigma[i]);
    for (size_t i = 0; i < frame->n; i++)
        radius[im_frame_row(frame, i)] = (float)sigma[i];
    return IMSAT_OK;
}
