/* SPDX-License-Identifier: MIT
 *
 * See principal.h. A product with the covariance takes LANES vectors V (d,LANES) at a time:
 * p = V^T (x - mean) of each row, and Y += (x - mean) p^T. Rows are dealt out to PARTS sums of
 * Y, whatever the number of threads, and these are added in order. Of sparse rows only the
 * elements are touched, and the mean is made up for at the end:
 *
 *     sum of (x - mean) p^T = sum of x p^T - mean (sum of p)^T
 */
#include "linear/principal.h"

#include "core/alloc.h"
#include "linear/krylov.h"
#include "linear/tile.h"

#include <assert.h>

enum {
    LANES = IM_KRYLOV_BLOCK, /* vectors of a product: a register of doubles, or two */
    PARTS = 32,              /* sums, each the work of a task */
    SPAN = 512,              /* rows of a task between two looks at whether to stop */
    ROWS = 4                 /* that meet a vector while it is in a register */
};

static const double TOLERANCE = 1e-9;
enum { ROUNDS = 1000 };

/* What a thread works in. */
typedef struct desk {
    im_real *scaled; /* (d) */
    float *raw;      /* (d) */
    double *prepare; /* (d) */
    double *rows;    /* (ROWS,d) less the mean */
} desk;

typedef struct covariance {
    const im_frame *frame;
    im_pool *pool;
    double *mean;  /* (d) */
    double *right; /* (d,LANES) V */
    double *shift; /* (LANES) V^T mean */
    double *sum;   /* (PARTS,d,LANES) Y */
    double *along; /* (PARTS,LANES) sums of p, of sparse rows */
    size_t first;  /* row of this round */
    desk *desks;   /* [threads] */
    void *memory;
} covariance;

static size_t lay_out(covariance *c, void *base, size_t threads)
{
    const size_t d = c->frame->d;
    im_carver carver = {base, 0};
    c->mean = im_carve(&carver, d, sizeof(double));
    c->right = im_carve(&carver, d * LANES, sizeof(double));
    c->shift = im_carve(&carver, LANES, sizeof(double));
    c->sum = im_carve(&carver, PARTS * d * LANES, sizeof(double));
    c->along = im_carve(&carver, (size_t)PARTS * LANES, sizeof(double));
    c->desks = im_carve(&carver, threads, sizeof *c->desks);
    for (size_t i = 0; i < threads; i++) {
        const desk one = {
            im_carve(&carver, d, sizeof(im_real)), im_carve(&carver, d, sizeof(float)),
            im_carve(&carver, d, sizeof(double)), im_carve(&carver, ROWS * d, sizeof(double))};
        if (base)
            c->desks[i] = one;
    }
    return carver.used;
}

/* ---- passes over the rows ------------------------------------------------------------ */

/* Rows of part `task` in this round: from, and how many. */
static size_t part_rows(const covariance *c, size_t task, size_t *count)
{
    const size_t first = c->first + task * SPAN, n = c->frame->n;
    *count = first < n ? im_size_min(SPAN, n - first) : 0;
    return first;
}

/* Run the task on all rows, round by round. */
static imsat_status pass(covariance *c, im_task_fn task, const im_stage *stage,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    memset(c->sum, 0, PARTS * c->frame->d * LANES * sizeof *c->sum);
    memset(c->along, 0, sizeof(double) * PARTS * LANES);
    for (c->first = 0; c->first < c->frame->n; c->first += (size_t)PARTS * SPAN)
        IM_TRY(im_stage_run(stage, c->pool, task, c, PARTS, SIZE_MAX, err));

cleanup:
    return st;
}

static const im_real *read_row(const covariance *c, size_t row, const desk *own)
{
    if (c->frame->kept)
        return c->frame->kept + row * c->frame->d;
    im_frame_scaled(own->scaled, c->frame, row, own->raw, own->prepare);
    return own->scaled;
}

static void sum_task(void *context, size_t task, int thread)
{
    covariance *c = context;
    const size_t d = c->frame->d;
    size_t count = 0;
    const size_t first = part_rows(c, task, &count);
    for (size_t i = 0; i < count; i++) {
        const im_real *x = read_row(c, first + i, &c->desks[thread]);
        for (size_t j = 0; j < d; j++)
            c->sum[task * d * LANES + j] += x[j];
    }
}

static imsat_status find_mean(covariance *c, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t d = c->frame->d;
    IM_TRY(pass(c, sum_task, stage, err));
    for (size_t part = 0; part < PARTS; part++)
        for (size_t j = 0; j < d; j++)
            c->mean[j] += c->sum[part * d * LANES + j];
    for (size_t j = 0; j < d; j++)
        c->mean[j] /= (double)c->frame->n;

cleanup:
    return st;
}

/* sum (d,LANES) += x (V^T x)^T of the rows x (ROWS,d). */
IM_CLONES static void add_rows(double *restrict sum, const double *restrict x,
                               const double *restrict right, size_t d)
{
    double p[ROWS][LANES] = {{0}};
    for (size_t j = 0; j < d; j++)
        for (size_t r = 0; r < ROWS; r++)
            for (size_t l = 0; l < LANES; l++)
                p[r][l] += x[r * d + j] * right[j * LANES + l];
    for (size_t j = 0; j < d; j++)
        for (size_t r = 0; r < ROWS; r++)
            for (size_t l = 0; l < LANES; l++)
                sum[j * LANES + l] += x[r * d + j] * p[r][l];
}

static void multiply_task(void *context, size_t task, int thread)
{
    covariance *c = context;
    const size_t d = c->frame->d;
    const desk *own = &c->desks[thread];
    size_t count = 0;
    const size_t first = part_rows(c, task, &count);
    for (size_t i = 0; i < count; i += ROWS) {
        for (size_t r = 0; r < ROWS; r++) {
            double *row = own->rows + r * d;
            if (i + r >= count) {
                memset(row, 0, d * sizeof *row);
                continue;
            }
            const im_real *x = read_row(c, first + i + r, own);
            for (size_t j = 0; j < d; j++)
                row[j] = x[j] - c->mean[j];
        }
        add_rows(c->sum + task * d * LANES, own->rows, c->right, d);
    }
}

static void multiply_sparse_task(void *context, size_t task, int thread)
{
    covariance *c = context;
    const desk *own = &c->desks[thread];
    double *sum = c->sum + task * c->frame->d * LANES, *along = c->along + task * LANES;
    size_t count = 0;
    const size_t first = part_rows(c, task, &count);
    for (size_t i = 0; i < count; i++) {
        const im_gemm_sparse x = im_frame_sparse(c->frame, first + i, own->scaled, own->raw);
        double p[LANES];
        for (size_t l = 0; l < LANES; l++)
            p[l] = -c->shift[l];
        for (size_t e = 0; e < x.count; e++)
            for (size_t l = 0; l < LANES; l++)
                p[l] += x.value[e] * c->right[(size_t)x.column[e] * LANES + l];
        for (size_t e = 0; e < x.count; e++)
            for (size_t l = 0; l < LANES; l++)
                sum[(size_t)x.column[e] * LANES + l] += x.value[e] * p[l];
        for (size_t l = 0; l < LANES; l++)
            along[l] += p[l];
    }
}

/* ---- the covariance as an operator ---------------------------------------------------- */

static void set_right(covariance *c, const double *x, size_t count)
{
    const size_t d = c->frame->d;
    memset(c->shift, 0, LANES * sizeof *c->shift);
    for (size_t j = 0; j < d; j++)
        for (size_t l = 0; l < LANES; l++) {
            c->right[j * LANES + l] = l < count ? x[l * d + j] : 0;
            c->shift[l] += c->right[j * LANES + l] * c->mean[j];
        }
}

/* All parts to the first one. */
static void join(covariance *c)
{
    const size_t size = c->frame->d * LANES;
    for (size_t part = 1; part < PARTS; part++) {
        for (size_t i = 0; i < size; i++)
            c->sum[i] += c->sum[part * size + i];
        for (size_t l = 0; l < LANES; l++)
            c->along[l] += c->along[part * LANES + l];
    }
}

static imsat_status multiply(void *context, double *y, const double *x, size_t count,
                             const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    covariance *c = context;
    const size_t d = c->frame->d;
    const bool sparse = im_frame_is_sparse(c->frame);
    assert(count <= LANES);
    set_right(c, x, count);
    IM_TRY(pass(c, sparse ? multiply_sparse_task : multiply_task, stage, err));
    join(c);
    for (size_t l = 0; l < count; l++)
        for (size_t j = 0; j < d; j++)
            y[l * d + j] =
                (c->sum[j * LANES + l] - c->mean[j] * c->along[l]) / (double)c->frame->n;

cleanup:
    return st;
}

/* Its memory. On failure the caller frees what there is. */
static imsat_status open_covariance(covariance *c, imsat_error *err)
{
    const size_t threads = (size_t)im_pool_threads(c->pool);
    c->memory = im_alloc(lay_out(c, NULL, threads), 1);
    if (!c->memory)
        return im_fail_memory(err, "the principal components");
    lay_out(c, c->memory, threads);
    return IMSAT_OK;
}

imsat_status im_principal_mean(double *mean, const im_frame *frame, im_pool *pool,
                               const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    covariance c = {.frame = frame, .pool = pool};
    const im_stage whole = im_stage_part(stage, 0, 1);
    IM_TRY(open_covariance(&c, err));
    IM_TRY(find_mean(&c, &whole, err));
    memcpy(mean, c.mean, frame->d * sizeof *mean);

cleanup:
    im_free(c.memory);
    return st;
}

imsat_status im_principal_fit(im_principal *out, const im_frame *frame, size_t m,
                              im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    covariance c = {.frame = frame, .pool = pool};
    im_krylov found = {0};
    const im_stage whole = im_stage_part(stage, 0, 1), still = im_stage_part(stage, 0, 0);
    const im_krylov_options options = {frame->d, m, TOLERANCE, ROUNDS};
    double *mean = im_alloc(frame->d, sizeof *mean);
    if (!mean)
        return im_fail_memory(err, "the principal components");
    IM_TRY(open_covariance(&c, err));
    IM_TRY(find_mean(&c, &still, err));
    IM_TRY(im_krylov_find(&found, &options, multiply, &c, &whole, err));
    memcpy(mean, c.mean, frame->d * sizeof *mean);
    *out = (im_principal){frame->d, m, mean, found.vectors, found.value};
    mean = NULL;

cleanup:
    im_free(mean);
    im_free(c.memory);
    return st;
}

void im_principal_clear(im_principal *principal)
{
    im_free(principal->mean);
    im_free(principal->directions);
    im_free(principal->variance);
    *principal = (im_principal){0};
}

/* ---- all rows along the directions ----------------------------------------------------- */

typedef struct projection {
    const im_frame *frame;
    size_t m;
    im_real *out;    /* (n,m) */
    im_real *packed; /* (d,m) the directions */
    double *shift;   /* (m) the mean along them */
    im_tile_set tiles;
} projection;

static void project_task(void *context, size_t task, int thread)
{
    const projection *p = context;
    im_tile *tile = &p->tiles.per_thread[thread];
    const size_t first = task * IM_TILE_ROWS;
    const size_t count = im_size_min(IM_TILE_ROWS, p->frame->n - first);
    im_tile_load(tile, p->frame, NULL, first, count);
    im_tile_product(tile, p->out + first * p->m, p->m, count, p->packed, p->m);
    for (size_t i = first * p->m; i < (first + count) * p->m; i++)
        p->out[i] = (im_real)(p->out[i] - p->shift[i % p->m]);
}

static imsat_status pack(projection *p, const im_principal *from, imsat_error *err)
{
    const size_t d = from->d, m = from->m;
    im_real *plain = im_alloc(m * d, sizeof *plain);
    p->packed = im_alloc(im_gemm_packed(d, m), sizeof *p->packed);
    p->shift = im_alloc(m, sizeof *p->shift);
    if (!plain || !p->packed || !p->shift) {
        im_free(plain);
        return im_fail_memory(err, "the rows along their principal components");
    }
    for (size_t i = 0; i < m * d; i++) {
        plain[i] = (im_real)from->directions[i];
        p->shift[i / d] += plain[i] * from->mean[i % d];
    }
    im_gemm_pack(p->packed, plain, d, IM_TRANS, d, m, 0, im_gemm_panels(m));
    im_free(plain);
    return IMSAT_OK;
}

imsat_status im_principal_project(im_real *out, const im_principal *principal,
                                  const im_frame *frame, im_pool *pool, const im_stage *stage,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    projection p = {.frame = frame, .m = principal->m, .out = out};
    assert(frame->d == principal->d);
    IM_TRY(pack(&p, principal, err));
    IM_TRY(im_tile_set_new(&p.tiles, (size_t)im_pool_threads(pool), 0, frame->d, err));
    IM_TRY(im_stage_run(&whole, pool, project_task, &p,
                        (frame->n + IM_TILE_ROWS - 1) / IM_TILE_ROWS, SIZE_MAX, err));

cleanup:
    im_tile_set_clear(&p.tiles);
    im_free(p.shift);
    im_free(p.packed);
    return st;
}
