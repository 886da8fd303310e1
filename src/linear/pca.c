/* SPDX-License-Identifier: MIT
 * See pca.h. */
#include "linear/pca.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "linear/tile.h"

#include <assert.h>
#include <math.h>

/* Keeps |V| below 1 when its elements are rounded to float. */
static const double SHRINK = 1 - 0x1p-16;

/* ---- directions ------------------------------------------------------------- */

/* What the directions are found with. */
typedef struct finder {
    im_pca pca;
    size_t s;         /* rows of the sample */
    im_real *sample;  /* (s,d) */
    im_real *right;   /* the sample, packed as the right factor */
    im_real *along;   /* (s,m) the sample's coordinates */
    im_real *left;    /* (m,s) the same, packed as the left factor */
    im_real *scratch; /* (IM_GEMM_SCRATCH) */
    double *basis;    /* (m,d) V in double */
    float *raw;       /* (d) */
    double *prepare;  /* (d) */
    void *memory;
} finder;

static size_t lay_out(finder *f, void *base)
{
    const size_t s = f->s, d = f->pca.d, m = f->pca.m;
    im_carver c = {base, 0};
    f->sample = im_carve(&c, s * d, sizeof *f->sample);
    f->right = im_carve(&c, im_gemm_packed(s, d), sizeof *f->right);
    f->along = im_carve(&c, s * m, sizeof *f->along);
    f->left = im_carve(&c, im_gemm_packed_left(m, s), sizeof *f->left);
    f->scratch = im_carve(&c, IM_GEMM_SCRATCH, sizeof *f->scratch);
    f->basis = im_carve(&c, m * d, sizeof *f->basis);
    f->raw = im_carve(&c, d, sizeof *f->raw);
    f->prepare = im_carve(&c, d, sizeof *f->prepare);
    return c.used;
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
                im_lanes_add(row, -im_lanes_dot(row, basis + j * d, d), basis + j * d, d);
        const double after = im_lanes_dot(row, row, d);
        const double scale = after > 1e-12 * before ? 1 / sqrt(after) : 0;
        for (size_t j = 0; j < d; j++)
            row[j] *= scale;
    }
}

/* V from the basis, and the sample's coordinates along it. */
static void measure(finder *f, const im_gemm_kernel *kernel)
{
    const im_pca *p = &f->pca;
    for (size_t i = 0; i < p->m * p->d; i++)
        p->directions[i] = (im_real)(f->basis[i] * SHRINK);
    im_gemm_pack(p->packed, p->directions, p->d, IM_TRANS, p->d, p->m, 0,
                 im_gemm_panels(p->m));
    im_gemm(kernel, f->along, p->m, f->sample, p->d, IM_NO, p->packed, f->s, p->m, p->d, false,
            f->scratch);
}

/* V = orthonormal rows of (V S^T) S */
static void iterate(finder *f, const im_gemm_kernel *kernel)
{
    const im_pca *p = &f->pca;
    measure(f, kernel);
    im_gemm_pack_left(f->left, f->along, p->m, p->m, f->s, 0, f->s);
    im_gemm(kernel, p->directions, p->d, f->left, 0, IM_PACKED, f->right, p->m, p->d, f->s,
            false, f->scratch);
    for (size_t i = 0; i < p->m * p->d; i++)
        f->basis[i] = p->directions[i];
    orthonormalize(f->basis, p->m, p->d);
}

/* The sample, and a basis of random directions. */
static void begin(finder *f, const im_frame *frame)
{
    const size_t d = f->pca.d;
    const im_rng rng = {.stream = IM_STREAM_SKETCH};
    for (size_t i = 0; i < f->s; i++)
        im_frame_scaled(f->sample + i * d, frame, frame->n * i / f->s, f->raw, f->prepare);
    im_gemm_pack(f->right, f->sample, d, IM_NO, f->s, d, 0, im_gemm_panels(d));
    for (size_t i = 0; i < f->pca.m; i++) {
        im_rng_normals(f->raw, d, rng, (uint32_t)i);
        for (size_t j = 0; j < d; j++)
            f->basis[i * d + j] = f->raw[j];
    }
    orthonormalize(f->basis, f->pca.m, d);
}

static void take_variances(finder *f)
{
    im_pca *p = &f->pca;
    for (size_t i = 0; i < f->s; i++)
        for (size_t k = 0; k < p->m; k++)
            p->variance[k] += (double)f->along[i * p->m + k] * f->along[i * p->m + k];
    for (size_t k = 0; k < p->m; k++)
        p->variance[k] /= (double)f->s;
    for (size_t i = 0; i < f->s * p->d; i++)
        p->total += (double)f->sample[i] * f->sample[i];
    p->total /= (double)f->s;
}

imsat_status im_pca_fit(im_pca *out, const im_frame *frame, size_t m, size_t sample,
                        size_t rounds, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const im_gemm_kernel *kernel = im_gemm_select(false);
    finder f = {.pca = {.d = frame->d, .m = m}, .s = im_size_min(frame->n, sample)};
    assert(1 <= m && m <= frame->d && sample >= 1 && rounds >= 1);
    f.pca.directions = im_alloc(m * frame->d, sizeof *f.pca.directions);
    f.pca.packed = im_alloc(im_gemm_packed(frame->d, m), sizeof *f.pca.packed);
    f.pca.variance = im_alloc(m, sizeof *f.pca.variance);
    f.memory = im_alloc(lay_out(&f, NULL), 1);
    if (!f.pca.directions || !f.pca.packed || !f.pca.variance || !f.memory) {
        st = im_fail_memory(err, "the directions in which the rows vary");
        goto cleanup;
    }
    lay_out(&f, f.memory);
    begin(&f, frame);
    for (size_t round = 0; round < rounds; round++) {
        iterate(&f, kernel);
        IM_TRY(im_stage_report(&whole, (double)(round + 1) / (double)(rounds + 1), err));
    }
    measure(&f, kernel);
    take_variances(&f);
    *out = f.pca;
    f.pca = (im_pca){0};

cleanup:
    im_pca_clear(&f.pca);
    im_free(f.memory);
    return st;
}

void im_pca_clear(im_pca *pca)
{
    im_free(pca->directions);
    im_free(pca->packed);
    im_free(pca->variance);
    *pca = (im_pca){0};
}

/* ---- all rows --------------------------------------------------------------- */

typedef struct projection {
    const im_frame *frame;
    const im_pca *pca;
    im_real *out; /* (n,m) */
    im_tile_set tiles;
} projection;

static void project_strip(void *context, size_t task, int thread)
{
    const projection *p = context;
    im_tile *w = &p->tiles.per_thread[thread];
    const size_t first = task * IM_TILE_ROWS, m = p->pca->m;
    const size_t count = im_size_min(IM_TILE_ROWS, p->frame->n - first);
    im_tile_load(w, p->frame, NULL, first, count);
    im_tile_product(w, p->out + first * m, m, count, p->pca->packed, m);
}

imsat_status im_pca_project(im_real *out, const im_pca *pca, const im_frame *frame,
                            im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    projection p = {.frame = frame, .pca = pca, .out = out};
    assert(frame->d == pca->d);
    IM_TRY(im_tile_set_new(&p.tiles, (size_t)im_pool_threads(pool), 0, frame->d, err));
    IM_TRY(im_stage_run(&whole, pool, project_strip, &p,
                        (frame->n + IM_TILE_ROWS - 1) / IM_TILE_ROWS, SIZE_MAX, err));

cleanup:
    im_tile_set_clear(&p.tiles);
    return st;
}
