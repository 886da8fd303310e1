/* SPDX-License-Identifier: MIT
 * See settle.h. */
#include "neighbors/settle.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "linear/keep.h"

#include <assert.h>
#include <math.h>

enum {
    GROUP = 16,         /* rows scanned together: a prepared row serves them all */
    SPAN = 256,         /* rows settled by one task */
    TASKS_A_CALL = 64,  /* between two calls of progress */
    WAVE = 64 * GROUP,  /* rows that are scanned before the next */
    SCAN_WORK = 1 << 28 /* products of a task of a scan: some tenths of a second */
};

typedef struct scratch {
    float *x;        /* (GROUP, d) */
    float *y;        /* (d) */
    double *prepare; /* (d) */
    uint64_t *heap;  /* (t) */
    uint64_t *keys;  /* (capacity) sorted */
} scratch;

typedef struct job {
    const im_frame *frame;
    im_lists lists;
    size_t t;
    double *out;
    scratch *per_thread; /* (threads) */
    void *memory;

    /* Of a scan: the rows of this wave, and the others that they meet now. */
    uint64_t *heaps; /* (WAVE, t) */
    size_t first, count;
    size_t from, to;
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
    const size_t d = j->frame->d, group = task * GROUP;
    const size_t count = j->count - group < GROUP ? j->count - group : GROUP;
    const scratch *w = &j->per_thread[thread];
    for (size_t i = 0; i < count; i++)
        im_frame_prepared(w->x + i * d, j->frame, place_of(j, j->first + group + i),
                          w->prepare);
    for (size_t other = j->from; other < j->to; other++) {
        im_frame_prepared(w->y, j->frame, other, w->prepare);
        for (size_t i = 0; i < count; i++)
            if (other != place_of(j, j->first + group + i))
                offer(j->heaps + (group + i) * j->t, j->t,
                      im_lanes_sq_distance(w->x + i * d, w->y, d));
    }
}

/* ---- memory ---------------------------------------------------------------- */

static void carve(scratch *w, im_carver *c, const job *j)
{
    const size_t d = j->frame->d, t = j->t;
    w->x = im_carve(c, GROUP * d, sizeof *w->x);
    w->y = im_carve(c, d, sizeof *w->y);
    w->prepare = im_carve(c, d, sizeof *w->prepare);
    w->heap = im_carve(c, t, sizeof *w->heap);
    w->keys = im_carve(c, j->lists.capacity, sizeof *w->keys);
}

static void job_clear(job *j)
{
    im_free(j->per_thread);
    im_free(j->memory);
    im_free(j->heaps);
}

/* Scratch for each thread. On failure the caller clears it. */
static imsat_status job_open(job *j, const im_pool *pool, imsat_error *err)
{
    const size_t threads = (size_t)im_pool_threads(pool);
    im_carver carver = {NULL, 0};
    scratch one;
    carve(&one, &carver, j);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    j->per_thread = im_alloc(threads, sizeof *j->per_thread);
    j->memory = im_alloc(threads, bytes);
    if (!j->per_thread || !j->memory)
        return im_fail_memory(err, "the radius");
    for (size_t i = 0; i < threads; i++) {
        carver = (im_carver){(char *)j->memory + i * bytes, 0};
        carve(&j->per_thread[i], &carver, j);
    }
    return IMSAT_OK;
}

/* ---- interface ------------------------------------------------------------- */

imsat_status im_settle_lists(double *out, const im_frame *frame, const im_lists *lists,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    job j = {.frame = frame, .lists = *lists, .t = t, .out = out};
    assert(t >= 1 && (!lists->bound || lists->row_sq_norm));
    IM_TRY(job_open(&j, pool, err));
    IM_TRY(im_stage_run(&whole, pool, settle_task, &j, (lists->count + SPAN - 1) / SPAN,
                        TASKS_A_CALL, err));

cleanup:
    job_clear(&j);
    return st;
}

/* The rows of a wave meet all others, so many at a time that a task takes no second. */
static imsat_status scan_wave(job *j, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = j->frame->n, chunk = SCAN_WORK / GROUP / j->frame->d + 1;
    im_keep_reset(j->heaps, j->count * j->t, im_keep_number(INFINITY));
    for (j->from = 0; j->from < n; j->from = j->to) {
        j->to = n - j->from < chunk ? n : j->from + chunk;
        const im_stage part =
            im_stage_part(stage, (double)j->from / (double)n, (double)j->to / (double)n);
        IM_TRY(im_stage_run(&part, pool, scan_task, j, (j->count + GROUP - 1) / GROUP,
                            TASKS_A_CALL, err));
    }
    for (size_t i = 0; i < j->count; i++)
        j->out[j->first + i] = sqrt(im_keep_as_number(j->heaps[i * j->t]));

cleanup:
    return st;
}

imsat_status im_settle_scan(double *out, const im_frame *frame, const uint32_t *places,
                            size_t count, size_t t, im_pool *pool, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const double all = (double)count;
    job j = {.frame = frame, .lists = {.places = places, .count = count}, .t = t, .out = out};
    assert(1 <= t && t < frame->n);
    j.heaps = im_alloc(im_size_min(WAVE, count), t * sizeof *j.heaps);
    if (!j.heaps)
        return im_fail_memory(err, "the radius");
    IM_TRY(job_open(&j, pool, err));
    for (; j.first < count; j.first += j.count) {
        j.count = im_size_min(WAVE, count - j.first);
        const im_stage part =
            im_stage_part(stage, (double)j.first / all, (double)(j.first + j.count) / all);
        IM_TRY(scan_wave(&j, pool, &part, err));
    }

cleanup:
    job_clear(&j);
    return st;
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
