/* SPDX-License-Identifier: MIT
 * See frame.h. */
#include "linear/frame.h"

#include "core/alloc.h"

#include <assert.h>
#include <math.h>

enum {
    SPAN = 1024,  /* rows of a task */
    SAMPLE = 4096 /* rows whose mean is the center */
};

/* One pass over all rows by the threads of a pool. */
typedef struct pass {
    const im_frame *frame;
    float *raw;      /* (threads, d) */
    double *prepare; /* (threads, d) */
    im_real *scaled; /* (threads, d) */
    double *largest; /* (tasks): largest |x - center| of the task's rows */
    float *sq_norm;  /* (n), the caller's */
    im_real *kept;   /* (n,d), the caller's */
} pass;

size_t im_frame_row(const im_frame *frame, size_t place)
{
    assert(place < frame->n);
    return frame->order ? frame->order[place] : place;
}

void im_frame_prepared(float *out, const im_frame *frame, size_t place, double *scratch)
{
    if (frame->sparse.data)
        im_sparse_rows_fill(out, &frame->sparse, im_frame_row(frame, place));
    else
        im_preprocess_read(out, frame->data, im_frame_row(frame, place), frame->pre, scratch);
}

static im_real scale_one(float raw, const im_frame *frame, int32_t column)
{
    return (im_real)((raw - frame->center[column]) * frame->factor);
}

im_gemm_sparse im_frame_sparse(const im_frame *frame, size_t place, im_real *value, float *raw)
{
    const size_t row = im_frame_row(frame, place);
    const im_csr_row elements = im_sparse_rows_raw(&frame->sparse, row);
    im_sparse_rows_prepared(raw, &frame->sparse, row);
    for (size_t e = 0; e < elements.count; e++)
        value[e] = scale_one(raw[e], frame, elements.column[e]);
    return (im_gemm_sparse){elements.column, value, elements.count};
}

/* out (d) = (raw - center) factor */
IM_CLONES static void scale(im_real *out, const float *raw, const double *center,
                            double factor, size_t d)
{
    for (size_t j = 0; j < d; j++)
        out[j] = (im_real)((raw[j] - center[j]) * factor);
}

/* The same of a sparse row: what is 0 in the data is at the center. */
static void scatter(im_real *out, const im_frame *frame, size_t row, float *raw)
{
    const im_csr_row elements = im_sparse_rows_raw(&frame->sparse, row);
    im_sparse_rows_prepared(raw, &frame->sparse, row);
    memset(out, 0, frame->d * sizeof *out);
    for (size_t e = 0; e < elements.count; e++)
        out[elements.column[e]] = scale_one(raw[e], frame, elements.column[e]);
}

void im_frame_scaled(im_real *out, const im_frame *frame, size_t place, float *raw,
                     double *scratch)
{
    assert(place < frame->n);
    if (frame->kept) {
        memcpy(out, frame->kept + place * frame->d, frame->d * sizeof *out);
        return;
    }
    if (frame->sparse.data) {
        scatter(out, frame, im_frame_row(frame, place), raw);
        return;
    }
    im_frame_prepared(raw, frame, place, scratch);
    scale(out, raw, frame->center, frame->factor, frame->d);
}

static size_t tasks_of(const im_frame *frame)
{
    return (frame->n + SPAN - 1) / SPAN;
}

static size_t task_end(const im_frame *frame, size_t task)
{
    return frame->n - task * SPAN < SPAN ? frame->n : (task + 1) * SPAN;
}

static void pass_clear(pass *p)
{
    im_free(p->raw);
    im_free(p->prepare);
    im_free(p->scaled);
    im_free(p->largest);
}

static imsat_status pass_new(pass *p, const im_frame *frame, im_pool *pool, imsat_error *err)
{
    const size_t threads = (size_t)im_pool_threads(pool);
    p->frame = frame;
    p->raw = im_alloc(threads * frame->d, sizeof *p->raw);
    p->prepare = im_alloc(threads * frame->d, sizeof *p->prepare);
    p->scaled = im_alloc(threads * frame->d, sizeof *p->scaled);
    p->largest = im_alloc(tasks_of(frame), sizeof *p->largest);
    return p->raw && p->prepare && p->scaled && p->largest
               ? IMSAT_OK
               : im_fail_memory(err, "a pass over the rows");
}

/* How far the prepared row at a place is from the center. raw, prepare: (d). */
static double reach_of(const im_frame *f, size_t place, float *raw, double *prepare)
{
    double largest = 0;
    im_frame_prepared(raw, f, place, prepare);
    for (size_t j = 0; j < f->d; j++) {
        const double reach = fabs(raw[j] - f->center[j]);
        largest = reach > largest ? reach : largest;
    }
    return largest;
}

/* The same of a sparse row, whose zeros are at the center. */
static double reach_of_sparse(const im_frame *f, size_t place, float *raw)
{
    const size_t row = im_frame_row(f, place);
    const im_csr_row elements = im_sparse_rows_raw(&f->sparse, row);
    double largest = 0;
    im_sparse_rows_prepared(raw, &f->sparse, row);
    for (size_t e = 0; e < elements.count; e++) {
        const double reach = fabs(raw[e] - f->center[elements.column[e]]);
        largest = reach > largest ? reach : largest;
    }
    return largest;
}

static void measure_task(void *context, size_t task, int thread)
{
    const pass *p = context;
    const im_frame *f = p->frame;
    const size_t at = (size_t)thread * f->d;
    double largest = 0;
    for (size_t i = task * SPAN; i < task_end(f, task); i++) {
        const double reach = im_frame_is_sparse(f)
                                 ? reach_of_sparse(f, i, p->raw + at)
                                 : reach_of(f, i, p->raw + at, p->prepare + at);
        largest = reach > largest ? reach : largest;
    }
    p->largest[task] = largest;
}

/* p->scaled from `at` on = the scaled row at a place; of a sparse one its elements
 * alone, since zeros add nothing to a norm. Returns how many values that are. */
static size_t load_values(const pass *p, size_t place, size_t at)
{
    const im_frame *f = p->frame;
    if (im_frame_is_sparse(f))
        return im_frame_sparse(f, place, p->scaled + at, p->raw + at).count;
    im_frame_scaled(p->scaled + at, f, place, p->raw + at, p->prepare + at);
    return f->d;
}

static void norm_task(void *context, size_t task, int thread)
{
    const pass *p = context;
    const size_t at = (size_t)thread * p->frame->d;
    const im_real *x = p->scaled + at;
    for (size_t i = task * SPAN; i < task_end(p->frame, task); i++) {
        const size_t count = load_values(p, i, at);
        double sq = 0;
        for (size_t j = 0; j < count; j++)
            sq += (double)x[j] * x[j];
        p->sq_norm[i] = (float)sq;
    }
}

static void keep_task(void *context, size_t task, int thread)
{
    const pass *p = context;
    const im_frame *f = p->frame;
    const size_t at = (size_t)thread * f->d;
    for (size_t i = task * SPAN; i < task_end(f, task); i++)
        im_frame_scaled(p->kept + i * f->d, f, i, p->raw + at, p->prepare + at);
}

/* Any center gives the same distances; a good one makes the norms, and the errors, small. For
 * sparse rows it is the one that leaves them sparse. */
static void find_center(im_frame *f, const pass *p)
{
    if (f->sparse.data) {
        for (size_t j = 0; f->sparse.background && j < f->d; j++)
            f->center[j] = f->sparse.background[j];
        return;
    }
    const size_t count = f->n < SAMPLE ? f->n : SAMPLE;
    for (size_t i = 0; i < count; i++) {
        im_frame_prepared(p->raw, f, (size_t)((double)i / (double)count * (double)f->n),
                          p->prepare);
        for (size_t j = 0; j < f->d; j++)
            f->center[j] += p->raw[j] / (double)count;
    }
}

imsat_status im_frame_fit(im_frame *out, const imsat_data *data, const im_preprocess *pre,
                          im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    im_frame f = {.data = data, .pre = pre, .n = data->rows, .d = data->dim};
    pass p = {0};
    double largest = 0;
    int exponent = 0;
    assert(pre->dim == f.d && 1 <= f.n && f.n <= UINT32_MAX);
    f.center = im_alloc(f.d, sizeof *f.center);
    if (!f.center)
        return im_fail_memory(err, "the center of the rows");
    if (im_sparse_rows_fit(data, pre))
        IM_TRY(im_sparse_rows_new(&f.sparse, data, pre, err));
    IM_TRY(pass_new(&p, &f, pool, err));
    find_center(&f, &p);
    IM_TRY(im_stage_run(&whole, pool, measure_task, &p, tasks_of(&f), SIZE_MAX, err));
    for (size_t i = 0; i < tasks_of(&f); i++)
        largest = fmax(largest, p.largest[i]);
    frexp(largest, &exponent);
    f.factor = ldexp(1, -exponent);
    *out = f;
    f = (im_frame){0};

cleanup:
    pass_clear(&p);
    im_frame_clear(&f);
    return st;
}

imsat_status im_frame_sq_norms(float *sq_norm, const im_frame *frame, im_pool *pool,
                               const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    pass p = {.sq_norm = sq_norm};
    IM_TRY(pass_new(&p, frame, pool, err));
    IM_TRY(im_stage_run(&whole, pool, norm_task, &p, tasks_of(frame), SIZE_MAX, err));

cleanup:
    pass_clear(&p);
    return st;
}

imsat_status im_frame_keep(im_frame *frame, size_t budget, im_pool *pool,
                           const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    pass p = {0};
    size_t reals = 0, bytes = 0;
    assert(!frame->kept);
    if (frame->sparse.data)
        return IMSAT_OK;
    if (!im_size_mul(&reals, frame->n, frame->d) ||
        !im_size_mul(&bytes, reals, sizeof *p.kept) || bytes > budget)
        return IMSAT_OK;
    p.kept = im_alloc(reals, sizeof *p.kept);
    if (!p.kept)
        return im_fail_memory(err, "a copy of the rows");
    IM_TRY(pass_new(&p, frame, pool, err));
    IM_TRY(im_stage_run(&whole, pool, keep_task, &p, tasks_of(frame), SIZE_MAX, err));
    frame->kept = p.kept;
    p.kept = NULL;

cleanup:
    im_free(p.kept);
    pass_clear(&p);
    return st;
}

void im_frame_clear(im_frame *frame)
{
    im_free(frame->kept);
    im_free(frame->center);
    im_free(frame->order);
    im_sparse_rows_clear(&frame->sparse);
    *frame = (im_frame){0};
}
