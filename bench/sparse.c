/* SPDX-License-Identifier: MIT
 *
 * Sparse rows beside the same rows with their zeros: 2,000 columns of which one in a hundred
 * is not zero, as in word counts. The peer is our own code on dense rows; times are taken by
 * turns.
 */
#include "bench.h"

#include "model/check.h"
#include "neighbors/radius.h"
#include "train/step.h"

#include "core/alloc.h"
#include "core/rng.h"

#include <stdio.h>

enum { ROWS = 18000, DIM = 2000, NONZERO = 20, K = 20, HIDDEN = 1200, WARM = 10 };

/* The data, both ways. */
typedef struct rows {
    int64_t *indptr;
    int32_t *indices;
    float *values, *filled, *radius;
    imsat_data *sparse, *dense;
} rows;

static void rows_clear(rows *r)
{
    imsat_data_free(r->sparse);
    imsat_data_free(r->dense);
    im_free(r->indptr);
    im_free(r->indices);
    im_free(r->values);
    im_free(r->filled);
    im_free(r->radius);
}

/* One element in each of NONZERO equal parts of a row, rows of length 1. */
static void fill_row(rows *r, size_t i)
{
    enum { PART = DIM / NONZERO };
    uint32_t word[4];
    for (size_t e = 0; e < NONZERO; e++) {
        const size_t at = i * NONZERO + e;
        im_rng_block(word, (im_rng){1, IM_STREAM_INIT, 0, 0}, (uint32_t)i, (uint32_t)e);
        r->indices[at] = (int32_t)(e * PART + word[0] % PART);
        r->values[at] = 0.1F + 0.2F * (float)(word[1] >> 8) * 0x1p-24F;
        r->filled[i * DIM + (size_t)r->indices[at]] = r->values[at];
    }
    r->indptr[i + 1] = (int64_t)((i + 1) * NONZERO);
    r->radius[i] = 1;
}

static bool rows_make(rows *r)
{
    *r = (rows){.indptr = im_alloc(ROWS + 1, sizeof *r->indptr),
                .indices = im_alloc((size_t)ROWS * NONZERO, sizeof *r->indices),
                .values = im_alloc((size_t)ROWS * NONZERO, sizeof *r->values),
                .filled = im_alloc((size_t)ROWS * DIM, sizeof *r->filled),
                .radius = im_alloc(ROWS, sizeof *r->radius)};
    if (!r->indptr || !r->indices || !r->values || !r->filled || !r->radius)
        return false;
    for (size_t i = 0; i < ROWS; i++)
        fill_row(r, i);
    return imsat_data_csr(&r->sparse, r->indptr, r->indices, r->values, ROWS, DIM, NULL) ==
               IMSAT_OK &&
           imsat_data_view(&r->dense, r->filled, ROWS, DIM, DIM, NULL) == IMSAT_OK;
}

/* ---- a step ------------------------------------------------------------------ */

typedef struct stepping {
    im_preprocess pre;
    im_trainer t;
    size_t step;
    int count;
} stepping;

static void run_steps(void *context)
{
    stepping *s = context;
    im_terms terms;
    for (int i = 0; i < s->count; i++, s->step++) {
        im_batch_draw(&s->t.batch, s->t.seed, s->step / 60, s->step % 60);
        if (im_step_run(&s->t, (uint32_t)s->step, &terms, NULL, NULL) != IMSAT_OK)
            fprintf(stderr, "bench: a step failed\n");
    }
}

static double time_steps(stepping *s, int count)
{
    s->count = WARM;
    run_steps(s);
    s->count = count;
    return bench_best(run_steps, s, 1) / count;
}

static bool open_steps(stepping *s, const bench *b, const imsat_data *data,
                       const imsat_options *opt, const float *radius, const double *prior)
{
    const im_fit fit = {.method = im_methods_find(opt->method),
                        .opt = opt,
                        .data = data,
                        .pre = &s->pre,
                        .radius = radius,
                        .prior = prior,
                        .pool = b->pool};
    if (im_preprocess_fit(&s->pre, data, opt, NULL, NULL) != IMSAT_OK ||
        im_trainer_new(&s->t, &fit, NULL) != IMSAT_OK)
        return false;
    im_trainer_reset(&s->t, 1);
    return true;
}

/* centered: with a background, as the default preset has it. */
static void bench_method(bench *b, const rows *r, const char *method, bool centered)
{
    imsat_options opt;
    double prior[K];
    stepping sparse = {.step = 0}, dense = {.step = 0};
    char name[64];
    bench_row *row = NULL;
    imsat_options_init(&opt, method, IMSAT_PRESET_REFERENCE);
    opt.k = K;
    opt.hidden[0] = opt.hidden[1] = HIDDEN;
    opt.center = centered;
    opt = im_check_decide(&opt, r->dense);
    for (size_t j = 0; j < K; j++)
        prior[j] = 1.0 / K;
    snprintf(name, sizeof name, "%s step, 1 %% of 2000%s", method,
             centered ? ", centered" : "");
    if (open_steps(&sparse, b, r->sparse, &opt, r->radius, prior) &&
        open_steps(&dense, b, r->dense, &opt, r->radius, prior))
        for (int turn = 0; turn < BENCH_TURNS; turn++) {
            const int count = sparse.t.net.layers > 1 ? 30 : 300;
            const double seconds = time_steps(&sparse, count);
            row = row ? row : bench_add(b, name, seconds, 0);
            bench_again(row, seconds);
            bench_beside(row, "dense rows", time_steps(&dense, count));
        }
    im_trainer_clear(&sparse.t);
    im_trainer_clear(&dense.t);
    im_preprocess_clear(&sparse.pre);
    im_preprocess_clear(&dense.pre);
}

/* ---- the radius ---------------------------------------------------------------- */

typedef struct finding {
    const imsat_data *data;
    im_preprocess pre;
    float *radius;
    im_pool *pool;
} finding;

static void run_radius(void *context)
{
    finding *f = context;
    if (im_radius_exact(f->radius, f->data, &f->pre, 10, f->pool, NULL, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: no radius\n");
}

static void bench_radius_of(bench *b, rows *r)
{
    finding f = {.data = r->sparse,
                 .pre = {.dim = DIM, .scale = 1, .factor = 1},
                 .radius = r->radius,
                 .pool = b->pool};
    bench_row *row =
        bench_add(b, "radius 18000, 1 % of 2000", bench_best(run_radius, &f, 2), 0);
    f.data = r->dense;
    bench_beside(row, "dense rows", bench_best(run_radius, &f, 1));
}

void bench_sparse(bench *b)
{
    rows r;
    if (rows_make(&r)) {
        bench_method(b, &r, "linear-rim", false);
        bench_method(b, &r, "linear-rim", true);
        bench_method(b, &r, "deep-rim", false);
        bench_method(b, &r, "deep-rim", true);
        bench_method(b, &r, "linear-imsat-vat", false);
        bench_method(b, &r, "imsat-rpt", false);
        bench_method(b, &r, "imsat-vat", false);
        bench_radius_of(b, &r);
    }
    rows_clear(&r);
}
