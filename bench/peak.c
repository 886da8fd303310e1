/* SPDX-License-Identifier: MIT
 *
 * The machine's limit: fused multiply-adds in registers, on one thread and on all, and our
 * gemm at the shapes of training beside it.
 */
#if defined(__x86_64__)
#include <immintrin.h> /* first: it names malloc, which core/alloc.h poisons */
#endif

#include "bench.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/gemm.h"

#include <stdio.h>

enum { ROUNDS = 2000000, SUMS = 12 };

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double spin_avx512(void)
{
    __m512 sum[SUMS], x = _mm512_set1_ps(0.999F), y = _mm512_set1_ps(1e-3F);
    for (int i = 0; i < SUMS; i++)
        sum[i] = _mm512_set1_ps((float)i);
    for (int round = 0; round < ROUNDS; round++)
#pragma GCC unroll 12
        for (int i = 0; i < SUMS; i++)
            sum[i] = _mm512_fmadd_ps(sum[i], x, y);
    for (int i = 1; i < SUMS; i++)
        sum[0] = _mm512_add_ps(sum[0], sum[i]);
    volatile float keep = _mm512_reduce_add_ps(sum[0]);
    (void)keep;
    return 2.0 * 16 * SUMS * ROUNDS;
}

__attribute__((target("avx2,fma"))) static double spin_avx2(void)
{
    __m256 sum[SUMS], x = _mm256_set1_ps(0.999F), y = _mm256_set1_ps(1e-3F);
    for (int i = 0; i < SUMS; i++)
        sum[i] = _mm256_set1_ps((float)i);
    for (int round = 0; round < ROUNDS; round++)
#pragma GCC unroll 12
        for (int i = 0; i < SUMS; i++)
            sum[i] = _mm256_fmadd_ps(sum[i], x, y);
    for (int i = 1; i < SUMS; i++)
        sum[0] = _mm256_add_ps(sum[0], sum[i]);
    volatile float keep = _mm256_cvtss_f32(sum[0]);
    (void)keep;
    return 2.0 * 8 * SUMS * ROUNDS;
}

static double spin(void)
{
    return __builtin_cpu_supports("avx512f") ? spin_avx512() : spin_avx2();
}
#else
/* No intrinsics for this machine: what the compiler makes of a plain loop. */
static double spin(void)
{
    enum { LANES = 64 };
    float sum[LANES] = {0};
    for (int round = 0; round < ROUNDS / 4; round++)
        for (int i = 0; i < LANES; i++)
            sum[i] = sum[i] * 0.999F + 1e-3F;
    volatile float keep = sum[0];
    (void)keep;
    return 2.0 * LANES * (ROUNDS / 4);
}
#endif

typedef struct spinning {
    bench *b;
    size_t tasks;
    double operations; /* of one task */
} spinning;

static void spin_task(void *context, size_t task, int thread)
{
    (void)thread;
    const double operations = spin();
    if (task == 0)
        ((spinning *)context)->operations = operations;
}

static void spin_all(void *context)
{
    spinning *s = context;
    im_pool_run(s->b->pool, spin_task, s, s->tasks);
}

/* The first row is of one thread, the second of all. */
static void measure(bench *b, size_t at)
{
    const size_t tasks = at == 0 ? 1 : (size_t)b->threads;
    spinning s = {b, tasks, 0};
    const double seconds = bench_best(spin_all, &s, 5);
    const double operations = s.operations * (double)tasks;
    if (b->count == at)
        bench_add(b, at == 0 ? "FMA peak, one thread" : "FMA peak, all threads", seconds,
                  operations);
    bench_again(&b->rows[at], seconds);
    b->peak = b->rows[at].operations / b->rows[at].ours;
}

void bench_peak(bench *b)
{
    measure(b, 0);
    measure(b, 1);
}

double bench_held_peak(bench *b)
{
    spinning s = {b, (size_t)b->threads, 0};
    const double start = im_clock();
    double times = 0, seconds = 0;
    for (; seconds < 1; seconds = im_clock() - start, times++)
        spin_all(&s);
    return times * s.operations * b->threads / seconds;
}

/* C (m,n) = A (m,k) B (k,n), the rows of C cut into blocks as in training. */
typedef struct product {
    bench *b;
    const char *name;
    size_t m, n, k;
    im_trans ta, tb;
    float *a, *bt, *c, *packed, *scratch; /* a: packed if ta is */
} product;

enum { BLOCK = 24 };

static void pack_task(void *context, size_t task, int thread)
{
    (void)thread;
    const product *p = context;
    im_gemm_pack(p->packed, p->bt, p->tb == IM_NO ? p->n : p->k, p->tb, p->k, p->n, task, 1);
}

static void block_task(void *context, size_t task, int thread)
{
    const product *p = context;
    const size_t first = task * BLOCK, rows = p->m - first < BLOCK ? p->m - first : BLOCK;
    im_gemm(im_gemm_select(false), p->c + first * p->n, p->n, p->a + first * p->k, p->k, p->ta,
            p->packed, rows, p->n, p->k, false, p->scratch + (size_t)thread * IM_GEMM_SCRATCH);
}

static void run_product(void *context)
{
    product *p = context;
    im_pool_run(p->b->pool, pack_task, p, im_gemm_panels(p->n));
    im_pool_run(p->b->pool, block_task, p, (p->m + BLOCK - 1) / BLOCK);
}

static void bench_product(bench *b, product p)
{
    char name[64];
    p.b = b;
    p.a = im_alloc(im_gemm_packed_left(p.m, p.k), sizeof *p.a);
    p.bt = im_alloc(p.k * p.n, sizeof *p.bt);
    p.c = im_alloc(p.m * p.n, sizeof *p.c);
    p.packed = im_alloc(im_gemm_packed(p.k, p.n), sizeof *p.packed);
    p.scratch = im_alloc((size_t)b->threads * IM_GEMM_SCRATCH, sizeof *p.scratch);
    if (p.a && p.bt && p.c && p.packed && p.scratch) {
        snprintf(name, sizeof name, "gemm %s %zu x %zu x %zu", p.name, p.m, p.n, p.k);
        bench_add(b, name, bench_best(run_product, &p, 10),
                  2.0 * (double)p.m * (double)p.n * (double)p.k);
    }
    im_free(p.a);
    im_free(p.bt);
    im_free(p.c);
    im_free(p.packed);
    im_free(p.scratch);
}

void bench_gemm(bench *b)
{
    bench_product(b, (product){.name = "forward", .m = 1200, .n = 250, .k = 1200});
    bench_product(
        b, (product){.name = "to units", .m = 1200, .n = 500, .k = 1200, .ta = IM_PACKED});
    bench_product(
        b, (product){.name = "to weights", .m = 1200, .n = 1200, .k = 500, .tb = IM_TRANS});
}
