/* SPDX-License-Identifier: MIT
 * See account.h. */
#include "account.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/gemm.h"

#include <stdio.h>

enum { MOST_ACCOUNTS = 8 };

/* ---- limits -------------------------------------------------------------------------- */

/* A product on each thread, on data of its own, again and again. */
typedef struct repeating {
    size_t m, n, k;
    bool packed;
    int times;
    float *memory[IM_POOL_MOST];
} repeating;

static size_t repeated_size(const repeating *r)
{
    return im_gemm_packed_left(r->m, r->k) + im_gemm_packed(r->k, r->n) +
           r->m * im_gemm_panels(r->n) * IM_GEMM_NR + IM_GEMM_SCRATCH;
}

static void repeat_task(void *context, size_t task, int thread)
{
    const repeating *r = context;
    (void)thread;
    float *a = r->memory[task], *b = a + im_gemm_packed_left(r->m, r->k),
          *c = b + im_gemm_packed(r->k, r->n);
    const size_t ldc = im_gemm_panels(r->n) * IM_GEMM_NR;
    for (int i = 0; i < r->times; i++)
        im_gemm(im_gemm_select(false), c, ldc, a, r->k, r->packed ? IM_PACKED : IM_NO, b, r->m,
                ldc, r->k, false, c + r->m * ldc);
}

typedef struct repeating_all {
    bench *b;
    repeating *r;
} repeating_all;

static void repeat_all(void *context)
{
    const repeating_all *all = context;
    im_pool_run(all->b->pool, repeat_task, all->r, (size_t)all->b->threads);
}

/* Operations a second of all threads; 0 without memory. */
static double repeat_rate(bench *b, size_t m, size_t n, size_t k, bool packed)
{
    repeating r = {.m = m, .n = n, .k = k, .packed = packed};
    const double operations =
        2.0 * (double)m * (double)(im_gemm_panels(n) * IM_GEMM_NR) * (double)k;
    bool ready = true;
    for (int i = 0; i < b->threads; i++)
        ready = (r.memory[i] = im_alloc(repeated_size(&r), sizeof(float))) && ready;
    r.times = 1 + (int)(5e8 / operations); /* some 5 ms */
    const double seconds = ready ? bench_best(repeat_all, &(repeating_all){b, &r}, 40) : 0;
    for (int i = 0; i < b->threads; i++)
        im_free(r.memory[i]);
    return ready ? operations * r.times * b->threads / seconds : 0;
}

/* Three arrays larger than the caches, read and written as Adam does. */
typedef struct streaming {
    bench *b;
    float *array[3];
} streaming;

enum { STREAM = 1 << 25, STREAM_TASK = 1 << 18 };

static void stream_task(void *context, size_t task, int thread)
{
    const streaming *s = context;
    (void)thread;
    float *restrict x = s->array[0] + task * STREAM_TASK;
    float *restrict y = s->array[1] + task * STREAM_TASK;
    float *restrict z = s->array[2] + task * STREAM_TASK;
    for (size_t i = 0; i < STREAM_TASK; i++) {
        x[i] += 1;
        y[i] += 1;
        z[i] += 1;
    }
}

static void stream_all(void *context)
{
    const streaming *s = context;
    im_pool_run(s->b->pool, stream_task, context, STREAM / STREAM_TASK);
}

/* Bytes a second, of all threads, both ways; 0 without memory. */
static double stream_rate(bench *b)
{
    streaming s = {.b = b};
    bool ready = true;
    for (int i = 0; i < 3; i++)
        ready = (s.array[i] = im_alloc(STREAM, sizeof(float))) && ready;
    const double seconds = ready ? bench_best(stream_all, &s, 5) : 0;
    for (int i = 0; i < 3; i++)
        im_free(s.array[i]);
    return ready ? 6.0 * sizeof(float) * STREAM / seconds : 0;
}

static void find_limits(bench *b)
{
    enum { DEPTH = 160 }; /* tile and panel take 29 KiB */
    if (b->tile > 0)
        return;
    b->tile = repeat_rate(b, IM_GEMM_MR, IM_GEMM_NR, DEPTH, true);
    b->memory = stream_rate(b);
    b->held = bench_held_peak(b);
}

/* ---- taking ---------------------------------------------------------------------------- */

static void book(ledger *best, void (*run)(void *), void *context, ledger_kind rest)
{
    enum { TIMES = 3 };
    for (int i = 0; i < TIMES; i++) {
        ledger l;
        ledger_open(rest);
        run(context);
        ledger_close(&l);
        if (i == 0 || l.seconds < best->seconds)
            *best = l;
    }
}

void account_take(bench *b, const char *name, void (*run)(void *), void *context, int times,
                  ledger_kind rest, double operations)
{
    static account all[MOST_ACCOUNTS];
    if (!b->account || b->account_count == MOST_ACCOUNTS)
        return;
    account *a = &all[b->account_count++];
    b->accounts = all;
    *a = (account){.times = times, .operations = operations};
    snprintf(a->name, sizeof a->name, "%s", name);
    find_limits(b);
    a->seconds = bench_best(run, context, 3) / times;
    book(&a->booked, run, context, rest);
    for (int kind = 0; kind < LEDGER_PRODUCTS; kind++) {
        const ledger_entry *e = &a->booked.entry[kind];
        a->repeated[kind] =
            e->operations > 0 ? repeat_rate(b, e->m, e->n, e->k, e->packed) : 0;
    }
}

/* ---- printing -------------------------------------------------------------------------- */

/* Seconds of all threads, without what the booking took. */
static double total_of(const bench *b, const ledger *l)
{
    return b->threads * l->seconds - l->booking;
}

/* Threads that have no task, while the others have, or while one works alone. */
static double idle_of(const bench *b, const ledger *l)
{
    double busy = 0;
    for (int kind = 0; kind < LEDGER_KINDS; kind++)
        busy += l->entry[kind].seconds;
    return total_of(b, l) - busy;
}

/* What became of the peak, in seconds of all threads; they add up to the total. */
typedef struct decline {
    double needed, padding, below, other;
} decline;

static decline decline_of(const bench *b, const account *a)
{
    double operations = 0, seconds = 0;
    for (int kind = 0; kind < LEDGER_PRODUCTS; kind++) {
        operations += a->booked.entry[kind].operations;
        seconds += a->booked.entry[kind].seconds;
    }
    const double peak = b->peak / b->threads, needed = a->operations * a->times / peak;
    return (decline){needed, operations / peak - needed, seconds - operations / peak,
                     total_of(b, &a->booked) - seconds};
}

static void print_entry(const bench *b, const account *a, ledger_kind kind)
{
    const ledger_entry *e = &a->booked.entry[kind];
    const double share = 100 / total_of(b, &a->booked), threads = b->threads;
    if (e->seconds <= 0)
        return;
    printf("  %-38s %6.2f %%", ledger_name(kind), share * e->seconds);
    if (e->operations > 0)
        printf(" %8.1f GFLOP/s %5.1f %% of the peak; repeated %5.1f %%",
               1e-9 * e->operations / e->seconds * threads,
               100 * e->operations / e->seconds * threads / b->peak,
               100 * a->repeated[kind] / b->peak);
    else if (e->bytes > 0 && b->memory > 0)
        printf(" %8.1f GB/s    %5.1f %% of the memory's",
               1e-9 * e->bytes / e->seconds * threads,
               100 * e->bytes / e->seconds * threads / b->memory);
    printf("\n");
}

static void print_account(const bench *b, const account *a)
{
    const ledger *l = &a->booked;
    const double total = total_of(b, l), share = 100 / total;
    const double unused = (b->threads - 1) * l->alone;
    printf("\n%s: %.3f ms; booked, %.3f ms and %.2f %% for the booking\n", a->name,
           1e3 * a->seconds, 1e3 * total / b->threads / a->times, share * l->booking);
    for (int kind = 0; kind < LEDGER_WAIT; kind++)
        print_entry(b, a, (ledger_kind)kind);
    printf("  %-38s %6.2f %%\n", ledger_name(LEDGER_WAIT),
           share * (l->entry[LEDGER_WAIT].seconds + idle_of(b, l) - unused));
    printf("  %-38s %6.2f %%\n", "other threads, while one works alone", share * unused);
    const decline d = decline_of(b, a);
    printf("  of the peak: %.1f %% needed, %.1f %% padding, %.1f %% products below it, "
           "%.1f %% other work\n",
           share * d.needed, share * d.padding, share * d.below, share * d.other);
}

void account_print_table(const bench *b)
{
    for (size_t i = 0; i < b->account_count; i++)
        print_account(b, &b->accounts[i]);
    if (b->account_count)
        printf(
            "\nLimits, all threads: peak %.1f GFLOP/s, held for a second %.1f; a tile of the "
            "product, in the first cache, %.1f; memory, read and written, %.1f GB/s.\n",
            1e-9 * b->peak, 1e-9 * b->held, 1e-9 * b->tile, 1e-9 * b->memory);
}

static void print_json_account(const bench *b, const account *a)
{
    const ledger *l = &a->booked;
    const double total = total_of(b, l), unused = (b->threads - 1) * l->alone;
    const decline d = decline_of(b, a);
    printf("{\"name\": \"%s\", \"seconds\": %.9g, \"booking\": %.4f, \"needed\": %.4f, "
           "\"padding\": %.4f, \"below\": %.4f, \"other\": %.4f, \"kinds\": [",
           a->name, a->seconds, l->booking / total, d.needed / total, d.padding / total,
           d.below / total, d.other / total);
    for (int kind = 0; kind < LEDGER_WAIT; kind++)
        printf("\n  {\"kind\": \"%s\", \"share\": %.5f, \"gflops\": %.3f, "
               "\"gflops_repeated\": %.3f},",
               ledger_name((ledger_kind)kind), l->entry[kind].seconds / total,
               l->entry[kind].seconds > 0
                   ? 1e-9 * b->threads * l->entry[kind].operations / l->entry[kind].seconds
                   : 0,
               kind < LEDGER_PRODUCTS ? 1e-9 * a->repeated[kind] : 0);
    printf(
        "\n  {\"kind\": \"%s\", \"share\": %.5f},\n  {\"kind\": \"alone\", \"share\": %.5f}]}",
        ledger_name(LEDGER_WAIT),
        (l->entry[LEDGER_WAIT].seconds + idle_of(b, l) - unused) / total, unused / total);
}

void account_print_json(const bench *b)
{
    printf("\"accounts\": [");
    for (size_t i = 0; i < b->account_count; i++) {
        printf("%s\n ", i ? "," : "");
        print_json_account(b, &b->accounts[i]);
    }
    printf("],\n \"held_gflops\": %.3f, \"tile_gflops\": %.3f, \"memory_gbs\": %.3f",
           1e-9 * b->held, 1e-9 * b->tile, 1e-9 * b->memory);
}
