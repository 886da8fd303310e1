/* SPDX-License-Identifier: MIT
 *
 * See gaussians.h. The shares of a row are the work of one task, of SPAN rows. Of the sums
 * over rows each is one task's, which goes through all rows in order: a component, or BLOCK
 * rows of its covariance. So no sum is cut by the number of threads.
 */
#include "linear/gaussians.h"

#include "core/alloc.h"
#include "core/elementary.h"
#include "core/lanes.h"

#include <float.h>
#include <math.h>

enum { SPAN = 128, BLOCK = 32 };

static const double LOG_2PI = 1.8378770664093454836;

/* What a thread works in. */
typedef struct desk {
    im_real *scaled; /* (d) */
    float *raw;      /* (d) */
    double *prepare; /* (d) */
    double *x;       /* (d) a row */
    double *term;    /* (k) log densities of it */
} desk;

typedef struct maximizer {
    im_gaussians g;
    const im_gaussians_options *opt;
    const im_frame *frame;
    im_pool *pool;
    double *share;  /* (n,k) r */
    double *gain;   /* (spans) log likelihoods */
    double *sum;    /* (k,d) of rows by shares; row i of `moment` belongs to its element i */
    double *moment; /* (k,d,d), (d,d) or (k,d): sums of products, of which the lower half */
    double *weight; /* (k) sums of shares */
    double *peak;   /* (k) */
    double *offset; /* (k,d) A mean */
    desk *desks;    /* [threads] */
    void *memory;
} maximizer;

static size_t whiten_size(const im_gaussians *g)
{
    const size_t of_one = g->covariance == IMSAT_COVARIANCE_DIAGONAL ? g->d : g->d * g->d;
    return g->covariance == IMSAT_COVARIANCE_TIED ? of_one : g->k * of_one;
}

static size_t spans_of(const im_frame *frame)
{
    return (frame->n + SPAN - 1) / SPAN;
}

static size_t lay_out(maximizer *m, void *base)
{
    const size_t k = m->g.k, d = m->g.d, threads = (size_t)im_pool_threads(m->pool);
    im_carver c = {base, 0};
    m->share = im_carve(&c, m->frame->n * k, sizeof(double));
    m->gain = im_carve(&c, spans_of(m->frame), sizeof(double));
    m->sum = im_carve(&c, k * d, sizeof(double));
    m->moment = im_carve(&c, whiten_size(&m->g), sizeof(double));
    m->weight = im_carve(&c, k, sizeof(double));
    m->peak = im_carve(&c, k, sizeof(double));
    m->offset = im_carve(&c, k * d, sizeof(double));
    m->desks = im_carve(&c, threads, sizeof *m->desks);
    for (size_t i = 0; i < threads; i++) {
        const desk one = {im_carve(&c, d, sizeof(im_real)), im_carve(&c, d, sizeof(float)),
                          im_carve(&c, d, sizeof(double)), im_carve(&c, d, sizeof(double)),
                          im_carve(&c, k, sizeof(double))};
        if (base)
            m->desks[i] = one;
    }
    return c.used;
}

static imsat_status open_memory(maximizer *m, imsat_error *err)
{
    im_gaussians *g = &m->g;
    g->log_weight = im_alloc(g->k, sizeof(double));
    g->mean = im_alloc(g->k * g->d, sizeof(double));
    g->whiten = im_alloc(whiten_size(g), sizeof(double));
    m->memory = im_alloc(lay_out(m, NULL), 1);
    if (!g->log_weight || !g->mean || !g->whiten || !m->memory)
        return im_fail_memory(err, "the normals");
    lay_out(m, m->memory);
    return IMSAT_OK;
}

static const double *read_row(const maximizer *m, size_t row, const desk *own)
{
    im_frame_scaled(own->scaled, m->frame, row, own->raw, own->prepare);
    for (size_t j = 0; j < m->g.d; j++)
        own->x[j] = own->scaled[j];
    return own->x;
}

/* ---- shares ---------------------------------------------------------------------------- */

/* |A x - offset|^2 */
static double sq_whitened(const im_gaussians *g, const double *a, const double *x,
                          const double *offset)
{
    double sq = 0;
    for (size_t i = 0; i < g->d; i++) {
        const double z = g->covariance == IMSAT_COVARIANCE_DIAGONAL
                             ? a[i] * x[i] - offset[i]
                             : im_lanes_dot(a + i * g->d, x, i + 1) - offset[i];
        sq += z * z;
    }
    return sq;
}

/* term (k) of log densities becomes shares; the log of their sum is returned. */
static double log_sum(double *term, size_t k)
{
    double most = term[0], sum = 0;
    for (size_t c = 1; c < k; c++)
        most = fmax(most, term[c]);
    for (size_t c = 0; c < k; c++)
        sum += term[c] = im_elementary_exp(term[c] - most);
    for (size_t c = 0; c < k; c++)
        term[c] /= sum;
    return most + im_elementary_log(sum);
}

static void share_task(void *context, size_t task, int thread)
{
    maximizer *m = context;
    const im_gaussians *g = &m->g;
    const desk *own = &m->desks[thread];
    const size_t first = task * SPAN, end = im_size_min(m->frame->n, first + SPAN);
    m->gain[task] = 0;
    for (size_t i = first; i < end; i++) {
        const double *x = read_row(m, i, own);
        for (size_t c = 0; c < g->k; c++)
            own->term[c] = m->peak[c] - 0.5 * sq_whitened(g, im_gaussians_whiten(g, c), x,
                                                          m->offset + c * g->d);
        m->gain[task] += log_sum(own->term, g->k);
        memcpy(m->share + i * g->k, own->term, g->k * sizeof *own->term);
    }
}

double im_gaussians_peak(const im_gaussians *g, size_t c)
{
    const double *a = im_gaussians_whiten(g, c);
    double log_det = 0;
    for (size_t i = 0; i < g->d; i++)
        log_det += im_elementary_log(
            a[g->covariance == IMSAT_COVARIANCE_DIAGONAL ? i : i * g->d + i]);
    return g->log_weight[c] + log_det - 0.5 * (double)g->d * LOG_2PI;
}

static void set_offsets(maximizer *m)
{
    const im_gaussians *g = &m->g;
    for (size_t c = 0; c < g->k; c++) {
        const double *a = im_gaussians_whiten(g, c), *mean = g->mean + c * g->d;
        m->peak[c] = im_gaussians_peak(g, c);
        for (size_t i = 0; i < g->d; i++)
            m->offset[c * g->d + i] = g->covariance == IMSAT_COVARIANCE_DIAGONAL
                                          ? a[i] * mean[i]
                                          : im_lanes_dot(a + i * g->d, mean, i + 1);
    }
}

static imsat_status expect(maximizer *m, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double sum = 0;
    set_offsets(m);
    IM_TRY(im_stage_run(stage, m->pool, share_task, m, spans_of(m->frame), SIZE_MAX, err));
    for (size_t s = 0; s < spans_of(m->frame); s++)
        sum += m->gain[s];
    m->g.log_likelihood = sum / (double)m->frame->n;

cleanup:
    return st;
}

/* ---- sums over rows ------------------------------------------------------------------ */

/* Weight and sum of rows of a component, and of a diagonal one the squares. */
static void sum_task(void *context, size_t c, int thread)
{
    maximizer *m = context;
    const size_t d = m->g.d, k = m->g.k;
    const bool diagonal = m->g.covariance == IMSAT_COVARIANCE_DIAGONAL;
    double *sum = m->sum + c * d;
    m->weight[c] = 10 * DBL_EPSILON; /* a component without rows stays finite */
    memset(sum, 0, d * sizeof *sum);
    if (diagonal)
        memset(m->moment + c * d, 0, d * sizeof *m->moment);
    for (size_t i = 0; i < m->frame->n; i++) {
        const double share = m->share[i * k + c];
        if (!(share > 0))
            continue;
        const double *x = read_row(m, i, &m->desks[thread]);
        m->weight[c] += share;
        im_lanes_add(sum, share, x, d);
        for (size_t j = 0; diagonal && j < d; j++)
            m->moment[c * d + j] += share * x[j] * x[j];
    }
}

/* BLOCK rows of the sum of products of a component; of a tied one, of all rows alike. */
static void moment_task(void *context, size_t task, int thread)
{
    maximizer *m = context;
    const size_t d = m->g.d, blocks = (d + BLOCK - 1) / BLOCK;
    const size_t c = task / blocks, first = task % blocks * BLOCK;
    const size_t end = im_size_min(d, first + BLOCK);
    const bool tied = m->g.covariance == IMSAT_COVARIANCE_TIED;
    double *moment = m->moment + c * d * d;
    memset(moment + first * d, 0, (end - first) * d * sizeof *moment);
    for (size_t i = 0; i < m->frame->n; i++) {
        const double share = tied ? 1 : m->share[i * m->g.k + c];
        if (!(share > 0))
            continue;
        const double *x = read_row(m, i, &m->desks[thread]);
        for (size_t a = first; a < end; a++)
            im_lanes_add(moment + a * d, share * x[a], x, a + 1);
    }
}

/* ---- from sums to normals --------------------------------------------------------------- */

/* moment (d,d), its lower half, becomes the covariance about the means: less `weight` mean
 * mean^T. */
static void take_mean_off(double *moment, const double *mean, double weight, size_t d)
{
    for (size_t a = 0; a < d; a++)
        im_lanes_add(moment + a * d, -weight * mean[a], mean, a + 1);
}

/* The lower half of s (d,d) becomes its Cholesky factor L; false: it is not positive. */
static bool factorize(double *s, size_t d)
{
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++)
            s[i * d + j] =
                (s[i * d + j] - im_lanes_dot(s + i * d, s + j * d, j)) / s[j * d + j];
        const double rest = s[i * d + i] - im_lanes_dot(s + i * d, s + i * d, i);
        if (!(rest > 0))
            return false;
        s[i * d + i] = sqrt(rest);
    }
    return true;
}

/* a (d,d) = the inverse of a lower triangular l, row by row. */
static void invert(double *a, const double *l, size_t d)
{
    memset(a, 0, d * d * sizeof *a);
    for (size_t i = 0; i < d; i++) {
        double *row = a + i * d;
        for (size_t j = 0; j < i; j++)
            im_lanes_add(row, -l[i * d + j], a + j * d, j + 1);
        for (size_t j = 0; j < i; j++)
            row[j] /= l[i * d + i];
        row[i] = 1 / l[i * d + i];
    }
}

static imsat_status refuse_singular(const maximizer *m, size_t c, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "the covariance of normal %zu of %zu is singular in %zu columns; raise "
                   "--regularization, which is %g",
                   c + 1, m->g.k, m->g.d,
                   m->opt->regularization / (m->frame->factor * m->frame->factor));
}

static imsat_status whiten_full(maximizer *m, size_t c, double weight, imsat_error *err)
{
    const size_t d = m->g.d;
    double *s = m->moment + c * d * d;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j <= i; j++)
            s[i * d + j] /= weight;
        s[i * d + i] += m->opt->regularization;
    }
    if (!factorize(s, d))
        return refuse_singular(m, c, err);
    invert(m->g.whiten + c * d * d, s, d);
    return IMSAT_OK;
}

static imsat_status whiten_diagonal(maximizer *m, size_t c, imsat_error *err)
{
    const size_t d = m->g.d;
    const double *mean = m->g.mean + c * d;
    for (size_t j = 0; j < d; j++) {
        const double variance =
            fmax(m->moment[c * d + j] / m->weight[c] - mean[j] * mean[j], 0) +
            m->opt->regularization;
        if (!(variance > 0))
            return refuse_singular(m, c, err);
        m->g.whiten[c * d + j] = 1 / sqrt(variance);
    }
    return IMSAT_OK;
}

static imsat_status whiten(maximizer *m, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_gaussians *g = &m->g;
    for (size_t c = 0; c < g->k; c++) {
        const double *mean = g->mean + c * g->d;
        if (g->covariance == IMSAT_COVARIANCE_DIAGONAL) {
            IM_TRY(whiten_diagonal(m, c, err));
        } else if (g->covariance == IMSAT_COVARIANCE_TIED) {
            take_mean_off(m->moment, mean, m->weight[c], g->d);
        } else {
            take_mean_off(m->moment + c * g->d * g->d, mean, m->weight[c], g->d);
            IM_TRY(whiten_full(m, c, m->weight[c], err));
        }
    }
    if (g->covariance == IMSAT_COVARIANCE_TIED)
        IM_TRY(whiten_full(m, 0, (double)m->frame->n, err));

cleanup:
    return st;
}

static imsat_status maximize(maximizer *m, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_gaussians *g = &m->g;
    const size_t blocks = (g->d + BLOCK - 1) / BLOCK;
    const size_t matrices = g->covariance == IMSAT_COVARIANCE_FULL   ? g->k
                            : g->covariance == IMSAT_COVARIANCE_TIED ? 1
                                                                     : 0;
    IM_TRY(im_stage_run(stage, m->pool, sum_task, m, g->k, SIZE_MAX, err));
    IM_TRY(im_stage_run(stage, m->pool, moment_task, m, matrices * blocks, SIZE_MAX, err));
    for (size_t c = 0; c < g->k; c++) {
        g->log_weight[c] = im_elementary_log(m->weight[c] / (double)m->frame->n);
        for (size_t j = 0; j < g->d; j++)
            g->mean[c * g->d + j] = m->sum[c * g->d + j] / m->weight[c];
    }
    IM_TRY(whiten(m, err));

cleanup:
    return st;
}

/* ---- the whole -------------------------------------------------------------------------- */

static imsat_status iterate(maximizer *m, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_gaussians_options *o = m->opt;
    double before = -(double)INFINITY;
    for (m->g.iterations = 0;; m->g.iterations++, before = m->g.log_likelihood) {
        const double share = (double)m->g.iterations / (double)(o->iterations + 1);
        const im_stage now = im_stage_part(stage, share, share);
        IM_TRY(maximize(m, &now, err));
        IM_TRY(expect(m, &now, err));
        if (m->g.iterations == o->iterations || m->g.log_likelihood - before <= o->tolerance)
            break;
    }

cleanup:
    return st;
}

imsat_status im_gaussians_fit(im_gaussians *out, const im_frame *frame,
                              const im_gaussians_options *options, im_pool *pool,
                              const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    maximizer m = {.opt = options, .frame = frame, .pool = pool};
    m.g = (im_gaussians){.k = options->k, .d = frame->d, .covariance = options->covariance};
    IM_TRY(open_memory(&m, err));
    for (size_t i = 0; i < frame->n; i++)
        m.share[i * options->k + (size_t)options->start[i]] = 1;
    IM_TRY(iterate(&m, &whole, err));
    *out = m.g;
    m.g = (im_gaussians){0};

cleanup:
    im_gaussians_clear(&m.g);
    im_free(m.memory);
    return st;
}

void im_gaussians_clear(im_gaussians *mixture)
{
    im_free(mixture->log_weight);
    im_free(mixture->mean);
    im_free(mixture->whiten);
    *mixture = (im_gaussians){0};
}
