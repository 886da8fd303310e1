/* SPDX-License-Identifier: MIT
 *
 * Distances are sums of squared differences, not products: with a handful of candidates that
 * is as fast, limited by the memory that the rows are read from, and equal rows are at
 * distance 0 exactly.
 */
#include "linear/kmeans_seed.h"

#include "core/alloc.h"
#include "core/elementary.h"
#include "core/rng.h"

#include <math.h>

enum {
    STRIP = 256, /* rows of a task: sums are made in it, and added in order */
    LANES = 16   /* sums of a distance that are made side by side */
};

typedef struct seeding {
    im_rows rows;
    size_t trials;         /* candidates at a time, at most */
    size_t count;          /* that there are now */
    uint32_t *row;         /* (trials): candidates */
    im_real *candidate;    /* (trials,d) */
    float *near_sq;        /* (n): squared distance to the nearest of those chosen */
    float *trial_sq;       /* (n,trials): the same if the candidate were chosen, too */
    double *sum;           /* (tasks,trials): of trial_sq over the rows of a task */
    double *potential;     /* (tasks): of near_sq */
    im_real *room;         /* (threads,d) */
    im_rows_scratch *read; /* (threads) */
    float *raw;            /* (threads,d) */
    double *prepare;       /* (threads,d) */
} seeding;

static size_t tasks_of(const seeding *s)
{
    return (s->rows.n + STRIP - 1) / STRIP;
}

static void seeding_clear(seeding *s)
{
    im_free(s->row);
    im_free(s->candidate);
    im_free(s->near_sq);
    im_free(s->trial_sq);
    im_free(s->sum);
    im_free(s->potential);
    im_free(s->room);
    im_free(s->read);
    im_free(s->raw);
    im_free(s->prepare);
}

static imsat_status seeding_new(seeding *s, const im_rows *rows, size_t k, im_pool *pool,
                                imsat_error *err)
{
    const size_t n = rows->n, d = rows->frame->d, threads = (size_t)im_pool_threads(pool);
    s->rows = *rows;
    s->trials = 2 + (size_t)im_elementary_log((double)k);
    s->row = im_alloc(s->trials, sizeof *s->row);
    s->candidate = im_alloc(s->trials * d, sizeof *s->candidate);
    s->near_sq = im_alloc(n, sizeof *s->near_sq);
    s->trial_sq = im_alloc(n * s->trials, sizeof *s->trial_sq);
    s->sum = im_alloc(tasks_of(s) * s->trials, sizeof *s->sum);
    s->potential = im_alloc(tasks_of(s), sizeof *s->potential);
    s->room = im_alloc(threads * d, sizeof *s->room);
    s->read = im_alloc(threads, sizeof *s->read);
    s->raw = im_alloc(threads * d, sizeof *s->raw);
    s->prepare = im_alloc(threads * d, sizeof *s->prepare);
    if (!s->row || !s->candidate || !s->near_sq || !s->trial_sq || !s->sum || !s->potential ||
        !s->room || !s->read || !s->raw || !s->prepare)
        return im_fail_memory(err, "the first centers");
    for (size_t i = 0; i < threads; i++)
        s->read[i] = (im_rows_scratch){s->raw + i * d, s->prepare + i * d};
    for (size_t i = 0; i < n; i++)
        s->near_sq[i] = INFINITY;
    return IMSAT_OK;
}

/* ---- distances ------------------------------------------------------------- */

IM_CLONES static float sq_distance(const im_real *a, const im_real *b, size_t d)
{
    im_real sum[LANES] = {0}, all = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t i = 0; i < LANES; i++)
            sum[i] += (a[j + i] - b[j + i]) * (a[j + i] - b[j + i]);
    for (; j < d; j++)
        all += (a[j] - b[j]) * (a[j] - b[j]);
    for (size_t i = 0; i < LANES; i++)
        all += sum[i];
    return (float)all;
}

static void trial_task(void *context, size_t task, int thread)
{
    const seeding *s = context;
    const size_t n = s->rows.n, d = s->rows.frame->d, first = task * STRIP;
    const size_t end = n - first < STRIP ? n : first + STRIP;
    double *sum = s->sum + task * s->trials;
    memset(sum, 0, s->trials * sizeof *sum);
    for (size_t i = first; i < end; i++) {
        const im_real *row =
            im_rows_scaled(&s->rows, i, s->room + (size_t)thread * d, &s->read[thread]);
        for (size_t t = 0; t < s->count; t++) {
            const float sq = sq_distance(row, s->candidate + t * d, d);
            const float near_sq = sq < s->near_sq[i] ? sq : s->near_sq[i];
            s->trial_sq[i * s->trials + t] = near_sq;
            sum[t] += near_sq;
        }
    }
}

typedef struct acceptance {
    seeding *seeding;
    size_t trial;
} acceptance;

static void accept_task(void *context, size_t task, int thread)
{
    const acceptance *a = context;
    const seeding *s = a->seeding;
    const size_t n = s->rows.n, first = task * STRIP;
    const size_t end = n - first < STRIP ? n : first + STRIP;
    (void)thread;
    for (size_t i = first; i < end; i++)
        s->near_sq[i] = s->trial_sq[i * s->trials + a->trial];
    s->potential[task] = s->sum[task * s->trials + a->trial];
}

/* Of the candidates, take the one that leaves the smallest sum. *chosen is its row. */
static imsat_status take_best(uint32_t *chosen, seeding *s, im_pool *pool,
                              const im_stage *still, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double best = INFINITY;
    acceptance a = {s, 0};
    for (size_t t = 0; t < s->count; t++)
        im_rows_copy(s->candidate + t * s->rows.frame->d, &s->rows, s->row[t], &s->read[0]);
    IM_TRY(im_stage_run(still, pool, trial_task, s, tasks_of(s), SIZE_MAX, err));
    for (size_t t = 0; t < s->count; t++) {
        double sum = 0;
        for (size_t i = 0; i < tasks_of(s); i++)
            sum += s->sum[i * s->trials + t];
        if (sum < best) {
            best = sum;
            a.trial = t;
        }
    }
    im_pool_run(pool, accept_task, &a, tasks_of(s));
    *chosen = s->row[a.trial];

cleanup:
    return st;
}

/* ---- drawing --------------------------------------------------------------- */

/* The row in which `share`, in [0, 1), of the sum of squared distances is reached. If all are
 * 0, that many rows on. A row at distance 0 is not drawn, whatever is lost in rounding. */
static uint32_t draw(const seeding *s, double share)
{
    const size_t n = s->rows.n;
    double total = 0, left;
    size_t task = 0, found = n;
    for (size_t i = 0; i < tasks_of(s); i++)
        total += s->potential[i];
    if (!(total > 0))
        return (uint32_t)(share * (double)n);
    left = share * total;
    while (task + 1 < tasks_of(s) && left >= s->potential[task])
        left -= s->potential[task++];
    for (size_t i = task * STRIP; i < n && (found == n || left >= 0); i++)
        if (s->near_sq[i] > 0) {
            found = i;
            left -= s->near_sq[i];
        }
    for (size_t i = task * STRIP; found == n && i-- > 0;)
        if (s->near_sq[i] > 0)
            found = i;
    return (uint32_t)found;
}

imsat_status im_kmeans_seed(uint32_t *chosen, size_t k, const im_rows *rows, uint64_t seed,
                            size_t restart, im_pool *pool, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    seeding s = {0};
    IM_TRY(seeding_new(&s, rows, k, pool, err));
    for (size_t c = 0; c < k; c++) {
        const im_rng rng = {seed, IM_STREAM_KMEANS, (uint32_t)c, (uint32_t)restart};
        s.count = c ? s.trials : 1;
        for (size_t t = 0; t < s.count; t++) {
            uint32_t word[4];
            im_rng_block(word, rng, (uint32_t)t, 0);
            s.row[t] = draw(&s, ((word[0] >> 5) * 0x1p26 + (word[1] >> 6)) * 0x1p-53);
        }
        const double share = (double)c / (double)k;
        const im_stage still = im_stage_part(&whole, share, share);
        IM_TRY(take_best(&chosen[c], &s, pool, &still, err));
        IM_TRY(im_stage_report(&whole, (double)(c + 1) / (double)k, err));
    }

cleanup:
    seeding_clear(&s);
    return st;
}
