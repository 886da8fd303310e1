/* SPDX-License-Identifier: MIT
 * See sketch.h. */
#include "neighbors/sketch.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "linear/tile.h"

#include <math.h>

enum {
    SAMPLE = 2048, /* rows that V is found on */
    ROUNDS = 3     /* of subspace iteration */
};

/* Of the sample's squares: with less in its sketches they are of no use. MNIST has 94 % in 128
 * of 784 coordinates, independent normal ones 29 %. */
static const double LEAST_SHARE = 0.6;

/* Keeps |V| below 1 when its elements are rounded to float. */
static const double SHRINK = 1 - 0x1p-16;

/* ---- directions ------------------------------------------------------------- */

/* What the directions are found with. */
typedef struct finder {
    size_t s, d, m;      /* rows of the sample, columns, directions */
    im_real *sample;     /* (s,d) */
    im_real *right;      /* the sample, packed as the right factor */
    im_real *along;      /* (s,m) the sample's coordinates */
    im_real *left;       /* (m,s) the same, packed as the left factor */
    im_real *directions; /* (m,d) V */
    im_real *packed;     /* V^T, packed as the right factor */
    im_real *scratch;    /* (IM_GEMM_SCRATCH) */
    double *basis;       /* (m,d) V in double */
    float *raw;          /* (d) */
    double *prepare;     /* (d) */
    void *memory;
} finder;

static size_t lay_out(finder *f, void *base)
{
    im_carver c = {base, 0};
    f->sample = im_carve(&c, f->s * f->d, sizeof *f->sample);
    f->right = im_carve(&c, im_gemm_packed(f->s, f->d), sizeof *f->right);
    f->along = im_carve(&c, f->s * f->m, sizeof *f->along);
    f->left = im_carve(&c, im_gemm_packed_left(f->m, f->s), sizeof *f->left);
    f->directions = im_carve(&c, f->m * f->d, sizeof *f->directions);
    f->packed = im_carve(&c, im_gemm_packed(f->d, f->m), sizeof *f->packed);
    f->scratch = im_carve(&c, IM_GEMM_SCRATCH, sizeof *f->scratch);
    f->basis = im_carve(&c, f->m * f->d, sizeof *f->basis);
    f->raw = im_carve(&c, f->d, sizeof *f->raw);
    f->prepare = im_carve(&c, f->d, sizeof *f->prepare);
    return c.used;
}

/* x += a y */
IM_CLONES static void add(double *restrict x, double a, const double *restrict y, size_t d)
{
    for (size_t j = 0; j < d; j++)
        x[j] += a * y[j];
}

/* Rows of the basis orthogonal, of length 1, or 0 where the sample has no more directions.
 * Gram and Schmidt, twice: once leaves what cancellation has spoiled. */
static void orthonormalize(double *basis, size_t m, size_t d)
{
    for (size_t i = 0; i < m; i++) {
        double *row = basis + i * d;
        const double before = im_lanes_dot(row, row, d);
        for (int pass = 0; pass < 2; pass++)
            for (size_t j = 0; j < i; j++)
                add(row, -im_lanes_dot(row, basis + j * d, d), basis + j * d, d);
        const double after = im_lanes_dot(row, row, d);
        const double scale = after > 1e-12 * before ? 1 / sqrt(after) : 0;
        for (size_t j = 0; j < d; j++)
            row[j] *= scale;
    }
}

static void round_basis(finder *f)
{
    for (size_t i = 0; i < f->m * f->d; i++)
        f->directions[i] = (im_real)(f->basis[i] * SHRINK);
    im_gemm_pack(f->packed, f->directions, f->d, IM_TRANS, f->d, f->m, 0,
                 im_gemm_panels(f->m));
}

/* V = orthonormal rows of (V S^T) S */
static void iterate(finder *f, const im_gemm_kernel *kernel)
{
    round_basis(f);
    im_gemm(kernel, f->along, f->m, f->sample, f->d, IM_NO, f->packed, f->s, f->m, f->d, false,
            f->scratch);
    im_gemm_pack_left(f->left, f->along, f->m, f->m, f->s, 0, f->s);
    im_gemm(kernel, f->directions, f->d, f->left, 0, IM_PACKED, f->right, f->m, f->d, f->s,
            false, f->scratch);
    for (size_t i = 0; i < f->m * f->d; i++)
        f->basis[i] = f->directions[i];
    orthonormalize(f->basis, f->m, f->d);
}

static double sum_squares(const im_real *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * x[i];
    return sum;
}

/* Returns whether they hold enough of the sample. */
static bool find_directions(finder *f, const im_frame *frame)
{
    const im_gemm_kernel *kernel = im_gemm_select(false);
    const im_rng rng = {.stream = IM_STREAM_SKETCH};
    for (size_t i = 0; i < f->s; i++)
        im_frame_scaled(f->sample + i * f->d, frame, frame->n * i / f->s, f->raw, f->prepare);
    im_gemm_pack(f->right, f->sample, f->d, IM_NO, f->s, f->d, 0, im_gemm_panels(f->d));
    for (size_t i = 0; i < f->m; i++) {
        im_rng_normals(f->raw, f->d, rng, (uint32_t)i);
        for (size_t j = 0; j < f->d; j++)
            f->basis[i * f->d + j] = f->raw[j];
    }
    orthonormalize(f->basis, f->m, f->d);
    for (int round = 0; round < ROUNDS; round++)
        iterate(f, kernel);
    round_basis(f);
    return sum_squares(f->along, f->s * f->m) >=
           LEAST_SHARE * sum_squares(f->sample, f->s * f->d);
}

/* ---- all rows --------------------------------------------------------------- */

typedef struct projection {
    const im_frame *frame;
    const finder *finder;
    im_real *sketches; /* (n,m) */
    im_tiles tiles;
} projection;

static void project_strip(void *context, size_t task, int thread)
{
    const projection *p = context;
    im_tile *w = &p->tiles.of[thread];
    const size_t first = task * IM_TILE_ROWS, left = p->frame->n - first, m = p->finder->m;
    const size_t count = left < IM_TILE_ROWS ? left : IM_TILE_ROWS;
    im_tile_load(w, p->frame, NULL, first, count);
    im_gemm(w->kernel, p->sketches + first * m, m, w->rows, w->d, IM_NO, p->finder->packed,
            count, m, w->d, false, w->gemm);
}

static imsat_status project(im_sketch *sketch, const im_frame *frame, const finder *f,
                            im_pool *pool, imsat_error *err)
{
    projection p = {.frame = frame, .finder = f, .sketches = sketch->rows.kept};
    imsat_status st = im_tiles_new(&p.tiles, (size_t)im_pool_threads(pool), 0, frame->d, err);
    if (st == IMSAT_OK)
        im_pool_run(pool, project_strip, &p, (frame->n + IM_TILE_ROWS - 1) / IM_TILE_ROWS);
    im_tiles_clear(&p.tiles);
    return st;
}

/* Each of the m coordinates is rounded d times: by at most g_d |v||x|, with |v| < 1. */
static double slope_of(size_t d, size_t m)
{
    return 1.01 * sqrt((double)m) * ((double)d + 2) * 0x1p-24;
}

imsat_status im_sketch_new(im_sketch *out, const im_frame *frame, size_t width, im_pool *pool,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = frame->n, d = frame->d, m = width;
    finder f = {.s = n < SAMPLE ? n : SAMPLE, .d = d, .m = m};
    im_sketch s = {.rows = {.n = n, .d = m, .factor = frame->factor},
                   .bound = {m, slope_of(d, m), frame->factor}};
    f.memory = im_alloc(lay_out(&f, NULL), 1);
    if (!f.memory)
        return im_fail_memory(err, "the sketches of the rows");
    lay_out(&f, f.memory);
    s.made = find_directions(&f, frame);
    if (!s.made)
        goto cleanup;
    s.rows.kept = im_alloc(n, m * sizeof *s.rows.kept);
    s.norm = im_alloc(n + IM_TILE_COLS, sizeof *s.norm);
    s.square = im_alloc(n, sizeof *s.square);
    if (!s.rows.kept || !s.norm || !s.square) {
        st = im_fail_memory(err, "the sketches of the rows");
        goto cleanup;
    }
    IM_TRY(project(&s, frame, &f, pool, err));
    IM_TRY(im_frame_norms(s.norm, &s.rows, pool, err));
    IM_TRY(im_frame_norms(s.square, frame, pool, err));

cleanup:
    im_free(f.memory);
    if (st == IMSAT_OK)
        *out = s;
    else
        im_sketch_clear(&s);
    return st;
}

void im_sketch_clear(im_sketch *sketch)
{
    im_frame_clear(&sketch->rows);
    im_free(sketch->norm);
    im_free(sketch->square);
    *sketch = (im_sketch){0};
}
