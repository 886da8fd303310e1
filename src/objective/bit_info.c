/* SPDX-License-Identifier: MIT
 * See bit_info.h; derivations are in docs/theory.md. */
#include "objective/bit_info.h"

#include "core/alloc.h"
#include "objective/floor.h"

#include <assert.h>

/* How many bits a task has: in the products two register tiles of rows; in work on single bits
 * only a few, so that even 16 bits keep several threads busy. */
enum { PAIR_BLOCK = 2 * IM_GEMM_MR, BIT_BLOCK = 4 };

typedef struct block {
    size_t first, end;
} block;

static block block_of(size_t task, size_t size, size_t bits)
{
    const size_t first = task * size;
    return (block){first, bits - first < size ? bits : first + size};
}

static size_t blocks(size_t size, size_t bits)
{
    return (bits + size - 1) / size;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t lay_out(im_bit_info *w, void *base)
{
    const size_t bits = w->bits, threads = (size_t)im_pool_threads(w->pool);
    im_carver c = {base, 0};
    w->one = im_carve(&c, bits, sizeof *w->one);
    w->zero = im_carve(&c, bits, sizeof *w->zero);
    w->cond = im_carve(&c, bits, sizeof *w->cond);
    w->pair = im_carve(&c, bits, sizeof *w->pair);
    w->joint = im_carve(&c, bits * bits, sizeof *w->joint);
    w->pull = im_carve(&c, bits * bits, sizeof *w->pull);
    w->slope = im_carve(&c, bits * bits, sizeof *w->slope);
    w->dp = im_carve(&c, bits * w->batch, sizeof *w->dp);
    w->packed =
        im_carve(&c, larger(im_gemm_packed(w->batch, bits), im_gemm_packed(bits, w->batch)),
                 sizeof *w->packed);
    w->scratch = im_carve(&c, threads, sizeof *w->scratch);
    for (size_t i = 0; i < threads; i++) {
        im_real *scratch = im_carve(&c, IM_GEMM_SCRATCH, sizeof *scratch);
        if (base)
            w->scratch[i] = scratch;
    }
    return c.used;
}

imsat_status im_bit_info_new(im_bit_info *out, size_t bits, size_t batch, im_pool *pool,
                             const im_gemm_kernel *kernel, imsat_error *err)
{
    im_bit_info w = {.bits = bits, .batch = batch, .pool = pool, .kernel = kernel};
    w.memory = im_alloc(lay_out(&w, NULL), 1);
    if (!w.memory)
        return im_fail_memory(err, "the pairs of bits");
    lay_out(&w, w.memory);
    *out = w;
    return IMSAT_OK;
}

void im_bit_info_clear(im_bit_info *w)
{
    im_free(w->memory);
    *w = (im_bit_info){0};
}

/* ---- sums of a batch ---------------------------------------------------------------- */

/* What the tasks of a pass share. */
typedef struct pass {
    im_bit_info *w;
    im_bit_proba p;
    size_t n;
    im_trans trans; /* how p is packed */
    im_real *dz;
    size_t ldz;
    double weight;
} pass;

/* Derivative of -(p log p + q log q), the entropy, to p. */
static double entropy_grad(double p, double q)
{
    return im_floor_log_ratio(q, p) + q / (q + IM_LOG_FLOOR) - p / (p + IM_LOG_FLOOR);
}

static double entropy(double p, double q)
{
    return -p * im_floor_log(p) - q * im_floor_log(q);
}

/* Sums of single bits. The logarithms serve the gradient too, which is left in dp. */
static void single_block(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    im_bit_info *w = s->w;
    const block b = block_of(task, BIT_BLOCK, w->bits);
    for (size_t d = b.first; d < b.end; d++) {
        double one = 0, zero = 0, cond = 0;
        for (size_t i = d * s->n; i < (d + 1) * s->n; i++) {
            const double p = s->p.one[i], q = s->p.zero[i];
            const double log_p = im_floor_log(p), log_q = im_floor_log(q);
            one += p;
            zero += q;
            cond -= p * log_p + q * log_q;
            w->dp[i] =
                (im_real)(log_q - log_p + q / (q + IM_LOG_FLOOR) - p / (p + IM_LOG_FLOOR));
        }
        w->one[d] = one;
        w->zero[d] = zero;
        w->cond[d] = cond;
    }
}

/* A panel of P (D,n), or of P^T. */
static void pack_panel(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    const size_t bits = s->w->bits, n = s->n;
    const bool turned = s->trans == IM_TRANS;
    const size_t k = turned ? n : bits, columns = turned ? bits : n;
    im_gemm_pack(s->w->packed, s->p.one, n, s->trans, k, columns, task, 1);
}

/* Rows of P P^T, from the panel of their first column on. */
static void joint_block(void *context, size_t task, int thread)
{
    const pass *s = context;
    im_bit_info *w = s->w;
    const block b = block_of(task, PAIR_BLOCK, w->bits);
    const size_t left = b.first / IM_GEMM_NR * IM_GEMM_NR;
    im_gemm(w->kernel, w->joint + b.first * w->bits + left, w->bits, s->p.one + b.first * s->n,
            s->n, IM_NO, w->packed + im_gemm_packed(s->n, left), b.end - b.first,
            w->bits - left, s->n, false, w->scratch[thread]);
}

void im_bit_info_measure(im_bit_info *w, im_bit_proba p, size_t n)
{
    assert(n > 0 && n <= w->batch);
    pass s = {.w = w, .p = p, .n = n, .trans = IM_TRANS};
    im_pool_run(w->pool, single_block, &s, blocks(BIT_BLOCK, w->bits));
    im_pool_run(w->pool, pack_panel, &s, im_gemm_panels(w->bits));
    im_pool_run(w->pool, joint_block, &s, blocks(PAIR_BLOCK, w->bits));
}

/* ---- pairs --------------------------------------------------------------------------- */

/* A pair of bits: m and v are the shares of ones, joint that of both. */
typedef struct pair_info {
    double value;      /* I */
    double to_joint;   /* dI/djoint, with m and v held */
    double to_m, to_v; /* dI/dm and dI/dv, with joint held */
} pair_info;

/* One cell of the table: c is its share, e what independent bits would have. */
typedef struct cell {
    double value; /* c log(c / e) */
    double to_c, to_e;
} cell;

static cell cell_of(double c, double e)
{
    /* c is a difference of rounded numbers, which may come out slightly below 0. */
    const double share = c > 0 ? c : 0;
    const double log_ratio = im_floor_log_ratio(share, e);
    return (cell){share * log_ratio, log_ratio + share / (share + IM_LOG_FLOOR),
                  -share / (e + IM_LOG_FLOOR)};
}

static pair_info pair_of(double joint, double m, double m0, double v, double v0)
{
    const cell c11 = cell_of(joint, m * v), c10 = cell_of(m - joint, m * v0);
    const cell c01 = cell_of(v - joint, m0 * v), c00 = cell_of(m0 - v + joint, m0 * v0);
    return (pair_info){
        c11.value + c10.value + c01.value + c00.value,
        c11.to_c - c10.to_c - c01.to_c + c00.to_c,
        c10.to_c - c00.to_c + v * (c11.to_e - c01.to_e) + v0 * (c10.to_e - c00.to_e),
        c01.to_c - c00.to_c + m * (c11.to_e - c10.to_e) + m0 * (c01.to_e - c00.to_e)};
}

/* Pairs (d,e), e > d, of a block of d: no other task has them. */
static void pair_block(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    im_bit_info *w = s->w;
    const size_t bits = w->bits;
    const double share = 1 / (double)s->n;
    const block b = block_of(task, BIT_BLOCK, bits);
    for (size_t d = b.first; d < b.end; d++) {
        double sum = 0;
        for (size_t e = d + 1; e < bits; e++) {
            const pair_info i =
                pair_of(share * (double)w->joint[d * bits + e], share * w->one[d],
                        share * w->zero[d], share * w->one[e], share * w->zero[e]);
            sum += i.value;
            w->pull[d * bits + e] = w->pull[e * bits + d] = (im_real)(2 * i.to_joint);
            w->slope[d * bits + e] = (im_real)(2 * i.to_m);
            w->slope[e * bits + d] = (im_real)(2 * i.to_v);
        }
        w->pair[d] = sum;
    }
}

im_bit_terms im_bit_info_terms(im_bit_info *w, size_t n)
{
    pass s = {.w = w, .n = n};
    im_bit_terms terms = {0};
    const double share = 1 / (double)n;
    im_pool_run(w->pool, pair_block, &s, blocks(BIT_BLOCK, w->bits));
    for (size_t d = 0; d < w->bits; d++) {
        terms.cond_entropy += share * w->cond[d];
        terms.marg_entropy += entropy(share * w->one[d], share * w->zero[d]);
        terms.pair_info += 2 * w->pair[d];
    }
    return terms;
}

/* ---- gradient ------------------------------------------------------------------------ */

IM_CLONES static void to_logits(im_real *restrict dz, const im_real *dp, im_bit_proba p,
                                im_real scale, im_real constant, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dz[i] = scale * p.one[i] * p.zero[i] * (dp[i] + constant);
}

/* dp += G P, plus the part of the gradient that is the same for all rows of a bit (g), then
 * through the sigmoid to dz. */
static void grad_block(void *context, size_t task, int thread)
{
    const pass *s = context;
    im_bit_info *w = s->w;
    const size_t n = s->n, bits = w->bits;
    const block b = block_of(task, PAIR_BLOCK, bits);
    im_gemm(w->kernel, w->dp + b.first * n, n, w->pull + b.first * bits, bits, IM_NO,
            w->packed, b.end - b.first, n, bits, true, w->scratch[thread]);
    for (size_t d = b.first; d < b.end; d++) {
        const double share = 1 / (double)n;
        double constant = -entropy_grad(share * w->one[d], share * w->zero[d]);
        for (size_t e = 0; e < bits; e++)
            constant += w->slope[d * bits + e];
        const im_bit_proba p = {s->p.one + d * n, s->p.zero + d * n};
        to_logits(s->dz + d * s->ldz, w->dp + d * n, p, (im_real)(share * s->weight),
                  (im_real)constant, n);
    }
}

void im_bit_info_grad(im_bit_info *w, im_real *dz, size_t ldz, im_bit_proba p, double weight,
                      size_t n)
{
    assert(n > 0 && n <= w->batch && ldz >= n);
    pass s = {.w = w, .p = p, .n = n, .trans = IM_NO, .dz = dz, .ldz = ldz, .weight = weight};
    im_pool_run(w->pool, pack_panel, &s, im_gemm_panels(n));
    im_pool_run(w->pool, grad_block, &s, blocks(PAIR_BLOCK, w->bits));
}

/* ---- totals -------------------------------------------------------------------------- */

static size_t lay_out_totals(im_bit_totals *t, void *base)
{
    im_carver c = {base, 0};
    t->one = im_carve(&c, t->bits, sizeof *t->one);
    t->zero = im_carve(&c, t->bits, sizeof *t->zero);
    t->joint = im_carve(&c, t->bits * t->bits, sizeof *t->joint);
    return c.used;
}

imsat_status im_bit_totals_new(im_bit_totals *out, size_t bits, imsat_error *err)
{
    im_bit_totals t = {.bits = bits};
    t.memory = im_alloc(lay_out_totals(&t, NULL), 1);
    if (!t.memory)
        return im_fail_memory(err, "the pairs of bits");
    lay_out_totals(&t, t.memory);
    *out = t;
    return IMSAT_OK;
}

void im_bit_totals_clear(im_bit_totals *t)
{
    im_free(t->memory);
    *t = (im_bit_totals){0};
}

void im_bit_totals_add(im_bit_totals *t, const im_bit_info *w, size_t n)
{
    assert(t->bits == w->bits && n > 0);
    t->rows += (double)n;
    for (size_t d = 0; d < t->bits; d++) {
        t->cond += w->cond[d];
        t->one[d] += w->one[d];
        t->zero[d] += w->zero[d];
        for (size_t e = d + 1; e < t->bits; e++)
            t->joint[d * t->bits + e] += w->joint[d * t->bits + e];
    }
}

im_bit_terms im_bit_totals_terms(const im_bit_totals *t)
{
    const double share = 1 / t->rows;
    im_bit_terms terms = {.cond_entropy = share * t->cond};
    for (size_t d = 0; d < t->bits; d++) {
        const double m = share * t->one[d], m0 = share * t->zero[d];
        terms.marg_entropy += entropy(m, m0);
        for (size_t e = d + 1; e < t->bits; e++)
            terms.pair_info += 2 * pair_of(share * t->joint[d * t->bits + e], m, m0,
                                           share * t->one[e], share * t->zero[e])
                                       .value;
    }
    return terms;
}
