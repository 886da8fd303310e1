/* SPDX-License-Identifier: MIT
 * See kmeans.h. */
#include "linear/kmeans.h"

#include "core/alloc.h"
#include "linear/kmeans_repair.h"
#include "linear/kmeans_seed.h"

#include <math.h>

enum {
    SPAN = 512, /* rows whose squared distances are added together */
    LANES = 16  /* sums of a squared distance that are made side by side */
};

/* Share of a restart's work after which its first centers are drawn, as far as one knows. */
static const double SEEDED = 0.2;

/* Scaled coordinates of a center to start from are at most that; those of rows are at most 1.
 */
static const double FARTHEST = 1e6;

/* What all restarts work in. */
typedef struct run {
    const im_kmeans_options *opt;
    im_rows rows;
    im_pool *pool;
    im_centers centers;
    im_assign assign;
    im_sums sums;     /* by column of the centers */
    im_real *start;   /* (k,d) */
    uint32_t *chosen; /* (k): rows that centers start from */
    double *mean;     /* (threads,d) */
    float *row;       /* (threads,d) */
    double *task_sum; /* (tasks): parts of the inertia */
    im_kmeans now;    /* the restart that runs */
} run;

im_kmeans_options im_kmeans_defaults(size_t k, uint64_t seed)
{
    return (im_kmeans_options){.k = k,
                               .restarts = 12,
                               .iterations = 300,
                               .tolerance = 1e-4,
                               .seed = seed,
                               .repair_empty = true};
}

/* ---- memory ---------------------------------------------------------------- */

static size_t inertia_tasks(const run *r)
{
    return (r->rows.n + SPAN - 1) / SPAN;
}

static imsat_status result_new(im_kmeans *out, size_t n, size_t k, size_t d, imsat_error *err)
{
    *out = (im_kmeans){.n = n, .k = k, .d = d, .inertia = INFINITY};
    out->centers = im_alloc(k * d, sizeof *out->centers);
    out->labels = im_alloc(n, sizeof *out->labels);
    return out->centers && out->labels ? IMSAT_OK : im_fail_memory(err, "the clusters");
}

void im_kmeans_clear(im_kmeans *result)
{
    im_free(result->centers);
    im_free(result->labels);
    *result = (im_kmeans){0};
}

static void run_clear(run *r)
{
    im_centers_clear(&r->centers);
    im_assign_clear(&r->assign);
    im_sums_clear(&r->sums);
    im_free(r->start);
    im_free(r->chosen);
    im_free(r->mean);
    im_free(r->row);
    im_free(r->task_sum);
    im_kmeans_clear(&r->now);
}

static imsat_status run_new(run *r, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = r->rows.n, k = r->opt->k, d = r->rows.frame->d;
    const size_t threads = (size_t)im_pool_threads(r->pool);
    r->start = im_alloc(k * d, sizeof *r->start);
    r->chosen = im_alloc(k, sizeof *r->chosen);
    r->mean = im_alloc(threads * d, sizeof *r->mean);
    r->row = im_alloc(threads * d, sizeof *r->row);
    r->task_sum = im_alloc(inertia_tasks(r), sizeof *r->task_sum);
    if (!r->start || !r->chosen || !r->mean || !r->row || !r->task_sum)
        return im_fail_memory(err, "the clusters");
    IM_TRY(im_centers_new(&r->centers, k, d, err));
    const im_stage still = im_stage_part(stage, 0, 0);
    IM_TRY(im_assign_new(&r->assign, &r->rows, &r->centers, !r->opt->all_products, r->pool,
                         &still, err));
    IM_TRY(im_sums_new(&r->sums, &r->rows, r->centers.columns, r->pool, err));
    IM_TRY(result_new(&r->now, n, k, d, err));

cleanup:
    return st;
}

/* ---- the start ------------------------------------------------------------- */

static imsat_status check(const im_kmeans_options *opt, size_t n, imsat_error *err)
{
    if (opt->k < 1 || opt->k > n)
        return im_fail(err, IMSAT_EINVAL,
                       "k is %zu, and must be from 1 to the number of rows, %zu", opt->k, n);
    if (opt->restarts < 1 || opt->iterations < 1)
        return im_fail(err, IMSAT_EINVAL,
                       "%zu restarts of %zu iterations: there must be at least 1 of each",
                       opt->restarts, opt->iterations);
    return IMSAT_OK;
}

/* Scale centers that were given, as rows are. */
static imsat_status take_start(run *r, imsat_error *err)
{
    const im_frame *f = r->rows.frame;
    for (size_t c = 0; c < r->opt->k; c++)
        for (size_t j = 0; j < f->d; j++) {
            const float given = r->opt->start[c * f->d + j];
            const double scaled = (given - f->center[j]) * f->factor;
            if (!(fabs(scaled) <= FARTHEST))
                return im_fail(err, IMSAT_EINVAL,
                               "column %zu of center %zu to start from is %g, which is not "
                               "finite or far from all rows",
                               j, c, given);
            r->start[c * f->d + j] = (im_real)scaled;
        }
    return IMSAT_OK;
}

static imsat_status draw_start(run *r, size_t restart, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t k = r->opt->k, d = r->rows.frame->d;
    IM_TRY(im_kmeans_seed(r->chosen, k, &r->rows, r->opt->seed, restart, r->pool, stage, err));
    for (size_t c = 0; c < k; c++)
        im_rows_copy(r->start + c * d, &r->rows, r->chosen[c], &r->sums.read[0]);

cleanup:
    return st;
}

/* ---- iterations ------------------------------------------------------------ */

static void move_task(void *context, size_t panel, int thread)
{
    run *r = context;
    const size_t d = r->rows.frame->d, first = panel * IM_GEMM_NR;
    double *mean = r->mean + (size_t)thread * d;
    bool any = false;
    for (size_t c = first; c < first + IM_GEMM_NR && c < r->opt->k; c++) {
        const bool moves = r->sums.changed[c] && r->sums.count[c] > 0;
        if (moves)
            im_sums_mean(mean, &r->sums, c);
        im_centers_move(&r->centers, c, moves ? mean : NULL);
        r->sums.changed[c] = 0;
        any |= moves;
    }
    if (any)
        im_centers_pack(&r->centers, panel);
}

/* The centers go to the means of their rows. Returns the sum of the squares of how far. */
static double move_centers(run *r)
{
    double sum = 0;
    im_pool_run(r->pool, move_task, r, r->centers.panels);
    im_centers_settle(&r->centers);
    for (size_t c = 0; c < r->opt->k; c++)
        sum += (double)r->centers.drift[c] * r->centers.drift[c];
    return sum;
}

/* The mean variance of the columns of the scaled rows, all of which are in the sums. */
static double mean_variance(const run *r)
{
    const size_t d = r->rows.frame->d;
    const double n = (double)r->rows.n;
    double squares = 0, mean_sq = 0;
    for (size_t i = 0; i < r->rows.n; i++)
        squares += r->assign.norm[i];
    for (size_t j = 0; j < d; j++) {
        int64_t sum = 0;
        for (size_t c = 0; c < r->opt->k; c++)
            sum += r->sums.sum[c * d + j];
        const double mean = (double)sum * r->sums.unit / n;
        mean_sq += mean * mean;
    }
    return fmax((squares / n - mean_sq) / (double)d, 0);
}

/* Lloyd's iteration from r->start on. */
static imsat_status iterate(run *r, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const double most = (double)r->opt->iterations;
    double still = 0; /* sum of squared moves that counts as none */
    bool settled = false;
    im_centers_start(&r->centers, r->start);
    im_assign_reset(&r->assign, &r->centers);
    im_sums_reset(&r->sums);
    r->now.converged = false;
    r->now.iterations = 0;
    while (r->now.iterations < r->opt->iterations && !r->now.converged) {
        const double done = (double)r->now.iterations;
        const im_stage part = im_stage_part(stage, done / (most + 1), (done + 1) / (most + 1));
        const im_stage after = im_stage_part(&part, 1, 1);
        size_t moved = 0;
        IM_TRY(im_assign_pass(&r->assign, &r->centers, r->pool, &part, err));
        IM_TRY(im_sums_follow(&moved, &r->sums, r->assign.column, r->pool, &after, err));
        settled = moved == 0;
        if (settled)
            break;
        if (r->opt->repair_empty)
            IM_TRY(im_kmeans_repair(&r->assign, &r->sums, &r->centers, r->pool, &after, err));
        if (r->now.iterations++ == 0)
            still = r->opt->tolerance * mean_variance(r);
        r->now.converged = move_centers(r) <= still;
    }
    r->now.converged |= settled;
    if (!settled) { /* the labels follow the last move */
        const im_stage part = im_stage_part(stage, most / (most + 1), 1);
        IM_TRY(im_assign_pass(&r->assign, &r->centers, r->pool, &part, err));
    }

cleanup:
    return st;
}

/* ---- the result ------------------------------------------------------------ */

/* Labels by number; centers as prepared rows. */
static void write_result(run *r)
{
    const im_frame *f = r->rows.frame;
    const size_t d = f->d;
    for (size_t i = 0; i < r->rows.n; i++)
        r->now.labels[i] = (int32_t)r->centers.number[r->assign.column[i]];
    for (size_t c = 0; c < r->opt->k; c++) {
        const size_t column = r->centers.column[c];
        if (r->sums.count[column] > 0)
            im_sums_mean(r->mean, &r->sums, column);
        else
            for (size_t j = 0; j < d; j++)
                r->mean[j] = r->centers.at[column * d + j];
        for (size_t j = 0; j < d; j++)
            r->now.centers[c * d + j] = r->mean[j] / f->factor + f->center[j];
    }
}

/* Sums side by side, in an order that is the same everywhere. */
IM_CLONES static double sq_distance(const float *row, const double *center, size_t d)
{
    double sum[LANES] = {0}, all = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t i = 0; i < LANES; i++)
            sum[i] += (row[j + i] - center[j + i]) * (row[j + i] - center[j + i]);
    for (; j < d; j++)
        all += (row[j] - center[j]) * (row[j] - center[j]);
    for (size_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

/* Squared distances of prepared rows, in double, by blocks of SPAN rows. */
static void inertia_task(void *context, size_t task, int thread)
{
    const run *r = context;
    const size_t n = r->rows.n, d = r->rows.frame->d, first = task * SPAN;
    const size_t end = n - first < SPAN ? n : first + SPAN;
    float *row = r->row + (size_t)thread * d;
    double sum = 0;
    for (size_t i = first; i < end; i++) {
        const double *center = r->now.centers + (size_t)r->now.labels[i] * d;
        im_frame_prepared(row, r->rows.frame, im_rows_place(&r->rows, i),
                          r->mean + (size_t)thread * d);
        sum += sq_distance(row, center, d);
    }
    r->task_sum[task] = sum;
}

static imsat_status measure_result(run *r, const im_stage *still, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    r->now.inertia = 0;
    IM_TRY(im_stage_run(still, r->pool, inertia_task, r, inertia_tasks(r), SIZE_MAX, err));
    for (size_t i = 0; i < inertia_tasks(r); i++)
        r->now.inertia += r->task_sum[i];

cleanup:
    return st;
}

static size_t count_empty(const im_kmeans *result, uint32_t *scratch)
{
    size_t empty = 0;
    memset(scratch, 0, result->k * sizeof *scratch);
    for (size_t i = 0; i < result->n; i++)
        scratch[result->labels[i]] = 1;
    for (size_t c = 0; c < result->k; c++)
        empty += !scratch[c];
    return empty;
}

static imsat_status restart(run *r, size_t number, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const double from = r->opt->start ? 0 : SEEDED;
    const im_stage seed = im_stage_part(stage, 0, from);
    const im_stage lloyd = im_stage_part(stage, from, 1), still = im_stage_part(stage, 1, 1);
    IM_TRY(r->opt->start ? take_start(r, err) : draw_start(r, number, &seed, err));
    IM_TRY(iterate(r, &lloyd, err));
    write_result(r);
    IM_TRY(measure_result(r, &still, err));
    r->now.restart = number;

cleanup:
    return st;
}

imsat_status im_kmeans_fit(im_kmeans *out, const im_rows *rows,
                           const im_kmeans_options *options, im_pool *pool,
                           const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    run r = {.opt = options, .rows = *rows, .pool = pool};
    im_kmeans best = {0};
    const double restarts = (double)options->restarts;
    IM_TRY(check(options, rows->n, err));
    IM_TRY(run_new(&r, stage, err));
    IM_TRY(result_new(&best, rows->n, options->k, rows->frame->d, err));
    for (size_t i = 0; i < options->restarts; i++) {
        const im_stage part =
            im_stage_part(stage, (double)i / restarts, (double)(i + 1) / restarts);
        IM_TRY(restart(&r, i, &part, err));
        if (r.now.inertia < best.inertia) {
            const im_kmeans lost = best;
            best = r.now;
            r.now = lost;
        }
    }
    best.empty = count_empty(&best, r.chosen);
    *out = best;
    best = (im_kmeans){0};

cleanup:
    run_clear(&r);
    im_kmeans_clear(&best);
    return st;
}
