/* SPDX-License-Identifier: MIT
 *
 * See approx.h.
 *
 * How many cells to look into, from mixtures of 20 normals in 64 dimensions, hard data since
 * each normal fills all dimensions. Mean relative error of sigma_10 in percent:
 *
 *     P            4     8    16    24    32
 *     n  100000  1.3   0.24  0.00  0.00  0.00
 *        400000  2.3   1.0   0.16  0.02  0.00
 *       1000000  2.6   1.3   0.41  0.10  0.02
 *
 * So P begins at FIRST_ROUNDS = 16, the same for all these sizes. Twice as many cells of half
 * the size gave the same error for the same number of rows. Data without clusters needs more:
 * for one normal in 64 dimensions, n 100000, P grows until the time is nearly that of all
 * pairs.
 *
 * A row keeps t candidates and no slack: the error of products in float is far below that of
 * the method.
 *
 * Memory: 8 t + 60 bytes a row and the scratch of each thread; and, if it takes at most
 * COPY_BYTES and a limit on memory leaves them, a copy of the rows in the order of the cells.
 * Each row is read for 2 P products,
 * in an order that has nothing to do with that of the data: without the copy the time of one
 * thread was 3.6 in place of 3.1 s for n 100000, and 22 in place of 17 s for n 400000.
 */
#include "neighbors/approx.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "neighbors/probe.h"
#include "neighbors/settle.h"

#include <assert.h>
#include <math.h>

enum {
    FIRST_ROUNDS = 16, /* P at first */
    EXACT_FROM = 3,    /* with a P above 1 / 3 of the cells all pairs are as cheap */
    SAMPLE = 256       /* rows whose exact radius is computed: half to choose P, half to tell
                          the error */
};

static const size_t COPY_BYTES = (size_t)1 << 30;

/* Shares of the work at which the steps begin, for progress. */
static const double SAMPLE_FROM = 0.08, CHOOSE_FROM = 0.18, PROBE_FROM = IM_APPROX_TRIED,
                    SETTLE_FROM = 0.95;

typedef struct job {
    im_frame frame;
    im_cells cells;
    float *sq_norm;        /* (n, padded) by place */
    double *sigma;         /* (n) by place */
    uint32_t *places;      /* (samples) */
    double *exact, *found; /* (samples) */
    size_t samples, half, t;
    im_pool *pool;
    const im_stage *stage;
} job;

static void job_clear(job *j)
{
    im_frame_clear(&j->frame);
    im_cells_clear(&j->cells);
    im_free(j->sq_norm);
    im_free(j->sigma);
    im_free(j->places);
    im_free(j->exact);
    im_free(j->found);
}

static size_t cells_for(size_t n)
{
    const size_t cells = (size_t)sqrt((double)n);
    return cells < IM_CELLS_MOST ? cells : IM_CELLS_MOST;
}

/* A row's relative error; infinite counts as 1, and so does anything in place of 0. */
static double relative_error(double found, double exact)
{
    if (!(found > exact))
        return 0;
    return found < 2 * exact ? found / exact - 1 : 1;
}

static double mean_error(const double *found, const double *exact, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += relative_error(found[i], exact[i]);
    return sum / (double)count;
}

/* Bytes that a copy of the rows may take beside what im_probe_new() will need. */
static size_t copy_budget(const job *j)
{
    enum { A_ROW = 48, A_THREAD = 1 << 25 };
    const size_t threads = (size_t)im_pool_threads(j->pool);
    return im_alloc_spare(COPY_BYTES,
                          j->frame.n * (sizeof(uint64_t) * j->t + A_ROW) + threads * A_THREAD);
}

static imsat_status prepare(job *j, const imsat_data *data, const im_preprocess *pre,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = data->rows;
    const im_stage part = im_stage_part(j->stage, 0, SAMPLE_FROM);
    const im_stage before = im_stage_part(&part, 0, 0), after = im_stage_part(&part, 1, 1);
    j->samples = n < SAMPLE ? n : SAMPLE;
    j->half = j->samples / 2;
    j->sq_norm = im_alloc(n + IM_TILE_CHUNK, sizeof *j->sq_norm);
    j->sigma = im_alloc(n, sizeof *j->sigma);
    j->places = im_alloc(j->samples, sizeof *j->places);
    j->exact = im_alloc(j->samples, sizeof *j->exact);
    j->found = im_alloc(j->samples, sizeof *j->found);
    if (!j->sq_norm || !j->sigma || !j->places || !j->exact || !j->found) {
        st = im_fail_memory(err, "the approximate radius");
        goto cleanup;
    }
    IM_TRY(im_frame_fit(&j->frame, data, pre, j->pool, &before, err));
    IM_TRY(im_cells_new(&j->cells, &j->frame, cells_for(n), j->pool, &part, err));
    IM_TRY(im_frame_keep(&j->frame, copy_budget(j), j->pool, &after, err));
    IM_TRY(im_frame_sq_norms(j->sq_norm, &j->frame, j->pool, &after, err));

cleanup:
    return st;
}

/* The exact radius of the sample. */
static imsat_status take_sample(job *j, imsat_error *err)
{
    const im_rng rng = {.stream = IM_STREAM_CELLS, .step = 1};
    const im_stage part = im_stage_part(j->stage, SAMPLE_FROM, CHOOSE_FROM);
    for (size_t i = 0; i < j->samples; i++)
        j->places[i] = (uint32_t)im_rng_permute(i, j->frame.n, rng);
    return im_settle_scan(j->exact, &j->frame, j->places, j->samples, j->t, j->pool, &part,
                          err);
}

/* *rounds = the first P of 16, 24, 32, 48, 64, 96, ... whose error on the first half of the
 * sample is small enough; 0: all pairs are as cheap. */
static imsat_status choose_rounds(size_t *rounds, job *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage part = im_stage_part(j->stage, CHOOSE_FROM, PROBE_FROM);
    im_probe probe = {0};
    double error = 1;
    size_t tried = 0, next = FIRST_ROUNDS;
    IM_TRY(im_probe_new(&probe, &j->frame, &j->cells, j->sq_norm, j->places, j->half, j->t,
                        j->pool, err));
    while (error > IM_APPROX_TARGET && next * EXACT_FROM <= j->cells.count) {
        const double share = 3.0 * (double)tried / (double)j->cells.count;
        const im_stage still = im_stage_part(&part, share, share);
        tried = next;
        IM_TRY(im_probe_run(&probe, tried, j->pool, &still, err));
        const im_lists lists = {j->places, j->half, probe.keys, probe.capacity, NULL, NULL};
        IM_TRY(im_settle_lists(j->found, &j->frame, &lists, j->t, j->pool, &still, err));
        error = mean_error(j->found, j->exact, j->half);
        next = tried & (tried - 1) ? tried / 3 * 4 : tried / 2 * 3;
        IM_TRY(im_stage_report(&part, 3.0 * (double)tried / (double)j->cells.count, err));
    }
    *rounds = error > IM_APPROX_TARGET ? 0 : tried;

cleanup:
    im_probe_clear(&probe);
    return st;
}

/* Rows whose cells hold fewer than t others, far from all, are compared with all rows. */
static imsat_status fill_missing(job *j, imsat_error *err)
{
    const im_stage last = im_stage_part(j->stage, 1, 1);
    size_t count = 0;
    for (size_t i = 0; i < j->frame.n; i++)
        count += isinf(j->sigma[i]) != 0;
    uint32_t *places = im_alloc(count, sizeof *places);
    if (!places)
        return im_fail_memory(err, "the approximate radius");
    count = 0;
    for (size_t i = 0; i < j->frame.n; i++)
        if (isinf(j->sigma[i]))
            places[count++] = (uint32_t)i;
    const imsat_status st =
        im_settle_again(j->sigma, &j->frame, places, count, j->t, j->pool, &last, err);
    im_free(places);
    return st;
}

/* sigma of all rows. */
static imsat_status compute(job *j, size_t rounds, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage look = im_stage_part(j->stage, PROBE_FROM, SETTLE_FROM);
    const im_stage settle = im_stage_part(j->stage, SETTLE_FROM, 1);
    im_probe probe = {0};
    IM_TRY(im_probe_new(&probe, &j->frame, &j->cells, j->sq_norm, NULL, j->frame.n, j->t,
                        j->pool, err));
    IM_TRY(im_probe_run(&probe, rounds, j->pool, &look, err));
    const im_lists lists = {NULL, j->frame.n, probe.keys, probe.capacity, NULL, NULL};
    IM_TRY(im_settle_lists(j->sigma, &j->frame, &lists, j->t, j->pool, &settle, err));
    IM_TRY(fill_missing(j, err));

cleanup:
    im_probe_clear(&probe);
    return st;
}

static imsat_status hand_over(float *radius, imsat_radius_info *info, job *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t told = j->samples - j->half;
    IM_TRY(im_settle_round(radius, j->sigma, &j->frame, err));
    for (size_t i = 0; i < j->samples; i++)
        j->found[i] = j->sigma[j->places[i]];
    *info =
        (imsat_radius_info){.method = IMSAT_RADIUS_APPROX,
                            .error = mean_error(j->found + j->half, j->exact + j->half, told),
                            .sample = told};

cleanup:
    return st;
}

bool im_approx_fits(size_t n, size_t t)
{
    const size_t cells = cells_for(n);
    return FIRST_ROUNDS * EXACT_FROM <= cells && t <= n / cells;
}

imsat_status im_approx_radius(float *radius, imsat_radius_info *info, bool *taken,
                              const imsat_data *data, const im_preprocess *pre, size_t t,
                              im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    job j = {.t = t, .pool = pool, .stage = stage};
    size_t rounds = 0;
    assert(t >= 1 && im_approx_fits(data->rows, t));
    IM_TRY(prepare(&j, data, pre, err));
    IM_TRY(take_sample(&j, err));
    IM_TRY(choose_rounds(&rounds, &j, err));
    *taken = rounds > 0;
    if (!*taken)
        goto cleanup;
    IM_TRY(compute(&j, rounds, err));
    IM_TRY(hand_over(radius, info, &j, err));

cleanup:
    job_clear(&j);
    return st;
}
