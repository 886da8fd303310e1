/* SPDX-License-Identifier: MIT
 *
 * See ledger.h. A thread has a page, and the kind of work that its time is booked to.
 * Functions that do one kind of work name it (BOOKED); functions that are a part of the step
 * name the kind of what is not named further inside (SCOPE), which also holds for the tasks
 * they give to other threads. Reading the clock costs more than some of the work: what a
 * reading costs is measured, and taken off each stretch of time.
 */
#if defined(__x86_64__)
#include <x86intrin.h> /* first: it names malloc, which core/alloc.h poisons */
#endif

#include "ledger.h"

#include "core/clock.h"
#include "core/gemm.h"
#include "core/threads.h"
#include "core/transpose.h"
#include "nn/infer.h"
#include "nn/softmax.h"
#include "objective/sat.h"
#include "train/inputs.h"
#include "train/vat.h"

#include <stdint.h>

/* What the linker makes of a function that is wrapped (bench/CMakeLists.txt). The types are
 * those of the function: a wrapper of another type does not compile. */
#define WRAPPED(name) extern __typeof__(name) __real_##name, __wrap_##name

typedef struct page {
    _Alignas(64) uint64_t ticks[LEDGER_KINDS];
    uint64_t stretches[LEDGER_KINDS]; /* of time, each with a reading of the clock in it */
    ledger_entry entry[LEDGER_KINDS];
    ledger_kind now;
    uint64_t since;
} page;

static page pages[IM_POOL_MOST];
static _Thread_local page *mine; /* NULL: this thread books nothing */

/* Of the part of the step under way: set by the calling thread between rounds of tasks. */
static struct {
    ledger_kind rest;    /* what is not named further inside */
    bool probe, weights; /* the power iteration; the backward pass to the weights */
} scope;

static double opened;
static uint64_t first_tick, rounds; /* rounds: ticks of the calling thread inside them */

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __rdtsc();
#else
    return (uint64_t)(1e9 * im_clock());
#endif
}

/* What comes is of this kind; returns what was. */
static ledger_kind turn_to(ledger_kind kind)
{
    page *p = mine;
    const ledger_kind before = p->now;
    const uint64_t now = ticks();
    p->ticks[before] += now - p->since;
    p->stretches[before]++;
    p->since = now;
    p->now = kind;
    return before;
}

/* ---- tasks -------------------------------------------------------------------------- */

typedef struct round {
    im_task_fn run;
    void *context;
} round;

static void booked_task(void *context, size_t task, int thread)
{
    const round *r = context;
    const bool worker = !mine;
    if (worker) {
        mine = &pages[thread];
        mine->since = ticks();
        mine->now = scope.rest;
    } else {
        turn_to(scope.rest);
    }
    r->run(r->context, task, thread);
    turn_to(LEDGER_WAIT);
    if (worker)
        mine = NULL;
}

WRAPPED(im_pool_run);
void __wrap_im_pool_run(im_pool *pool, im_task_fn run, void *context, size_t tasks)
{
    round r = {run, context};
    if (!mine) {
        __real_im_pool_run(pool, run, context, tasks);
        return;
    }
    const ledger_kind before = turn_to(LEDGER_WAIT);
    const uint64_t start = mine->since;
    __real_im_pool_run(pool, booked_task, &r, tasks);
    turn_to(before);
    rounds += mine->since - start;
}

/* ---- the parts of a step, which the calling thread runs -----------------------------------
 */

typedef struct part {
    __typeof__(scope) outer;
    ledger_kind before;
} part;

static part begin_part(ledger_kind kind)
{
    const part p = {scope, turn_to(kind)};
    scope.rest = kind;
    return p;
}

static void end_part(part p)
{
    turn_to(p.before);
    scope = p.outer;
}

#define SCOPE(name, kind, flag, parameters, arguments)                                        \
    WRAPPED(name);                                                                            \
    void __wrap_##name parameters                                                             \
    {                                                                                         \
        if (!mine) {                                                                          \
            __real_##name arguments;                                                          \
            return;                                                                           \
        }                                                                                     \
        const part p = begin_part(kind);                                                      \
        flag;                                                                                 \
        __real_##name arguments;                                                              \
        end_part(p);                                                                          \
    }

SCOPE(im_batch_draw, LEDGER_BATCH, (void)0,
      (im_batch * batch, uint64_t seed, size_t epoch, size_t step_of_epoch),
      (batch, seed, epoch, step_of_epoch))
SCOPE(im_inputs_clean, LEDGER_BATCH, (void)0, (im_trainer * t), (t))
SCOPE(im_trainer_predict, LEDGER_OBJECTIVE, (void)0,
      (im_trainer * t, size_t branch, im_bn_mode mode), (t, branch, mode))
SCOPE(im_tape_forward, LEDGER_PASS, (void)0,
      (im_tape * tape, im_net *net, size_t branch, im_bn_mode mode), (tape, net, branch, mode))
SCOPE(im_tape_backward_input, LEDGER_PASS, (void)0, (im_tape * tape, size_t branch),
      (tape, branch))
SCOPE(im_tape_backward, LEDGER_PASS, scope.weights = true,
      (im_tape * tape, im_net *net, im_adam *adam, double decay), (tape, net, adam, decay))

WRAPPED(im_vat_perturb);
imsat_status __wrap_im_vat_perturb(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                                   const im_stage *stage, imsat_error *err)
{
    if (!mine)
        return __real_im_vat_perturb(t, branch, mode, rng, stage, err);
    const part p = begin_part(LEDGER_PERTURB);
    scope.probe = true;
    const imsat_status st = __real_im_vat_perturb(t, branch, mode, rng, stage, err);
    end_part(p);
    return st;
}

/* ---- work of one kind, on any thread -------------------------------------------------- */

#define BOOKED(type, name, kind, parameters, arguments)                                       \
    WRAPPED(name);                                                                            \
    type __wrap_##name parameters                                                             \
    {                                                                                         \
        if (!mine)                                                                            \
            return __real_##name arguments;                                                   \
        const ledger_kind before = turn_to(kind);                                             \
        type result = __real_##name arguments;                                                \
        turn_to(before);                                                                      \
        return result;                                                                        \
    }

#define BOOKED_VOID(name, kind, parameters, arguments)                                        \
    WRAPPED(name);                                                                            \
    void __wrap_##name parameters                                                             \
    {                                                                                         \
        const ledger_kind before = mine ? turn_to(kind) : LEDGER_WAIT;                        \
        __real_##name arguments;                                                              \
        if (mine)                                                                             \
            turn_to(before);                                                                  \
    }

BOOKED(im_real, im_batchnorm_forward, LEDGER_NORMALIZE,
       (im_real * a, im_real *z, im_bn_unit unit, im_bn_mode mode, size_t n),
       (a, z, unit, mode, n))
BOOKED(im_bn_grad, im_batchnorm_backward, LEDGER_NORMALIZE_BACK,
       (im_real * da, const im_real *a, const im_real *xhat, im_bn_unit unit, im_real inv,
        im_bn_mode mode, size_t n),
       (da, a, xhat, unit, inv, mode, n))
BOOKED_VOID(im_gemm_put_row, LEDGER_PACK,
            (im_real * packed, size_t k, size_t n, size_t p, const im_real *row),
            (packed, k, n, p, row))
BOOKED_VOID(im_gemm_get_row, LEDGER_PACK,
            (im_real * row, const im_real *packed, size_t k, size_t n, size_t p),
            (row, packed, k, n, p))
BOOKED_VOID(im_gemm_pack, LEDGER_PACK,
            (im_real * packed, const im_real *b, size_t ldb, im_trans trans, size_t k,
             size_t n, size_t first, size_t count),
            (packed, b, ldb, trans, k, n, first, count))
BOOKED_VOID(im_gemm_pack_left, LEDGER_PACK,
            (im_real * packed, const im_real *a, size_t lda, size_t m, size_t k, size_t p,
             size_t depth),
            (packed, a, lda, m, k, p, depth))
BOOKED_VOID(im_transpose, LEDGER_TRANSPOSE,
            (im_real * to, size_t ldt, const im_real *from, size_t ldf, size_t rows,
             size_t cols),
            (to, ldt, from, ldf, rows, cols))
BOOKED_VOID(im_rng_normals, LEDGER_RANDOM, (float *out, size_t n, im_rng rng, uint32_t item),
            (out, n, rng, item))
BOOKED_VOID(im_sat_grad, LEDGER_OBJECTIVE,
            (im_real * dq, const im_real *p, const im_real *q, double weight, size_t n,
             size_t k),
            (dq, p, q, weight, n, k))
BOOKED_VOID(im_softmax_backward, LEDGER_OBJECTIVE,
            (im_real * dz, size_t ldz, const im_real *dp, const im_real *p, size_t n,
             size_t k),
            (dz, ldz, dp, p, n, k))
BOOKED_VOID(im_softmax_forward, LEDGER_OBJECTIVE,
            (im_real * p, const im_real *z, size_t ldz, size_t n, size_t k), (p, z, ldz, n, k))
BOOKED_VOID(im_bit_sat_grad, LEDGER_OBJECTIVE,
            (im_real * dz, im_bit_proba clean, im_bit_proba augmented, double scale, size_t n),
            (dz, clean, augmented, scale, n))
/* Inside are the products, and what is left is the normalization. */
BOOKED(const im_real *, im_infer_run, LEDGER_NORMALIZE, (im_infer * f, int thread, size_t n),
       (f, thread, n))

WRAPPED(im_adam_update);
void __wrap_im_adam_update(const im_adam *adam, im_real *w, const im_real *g, size_t first,
                           size_t count)
{
    const ledger_kind before = mine ? turn_to(LEDGER_ADAM) : LEDGER_WAIT;
    __real_im_adam_update(adam, w, g, first, count);
    if (!mine)
        return;
    /* weights and both moments, read and written; the gradient is in the cache */
    mine->entry[LEDGER_ADAM].bytes += 6.0 * sizeof *w * (double)count;
    turn_to(before);
}

/* ---- products ------------------------------------------------------------------------ */

static ledger_kind product_kind(im_trans form)
{
    if (scope.rest == LEDGER_OBJECTIVE)
        return LEDGER_PAIRS;
    if (scope.probe)
        return form == IM_PACKED ? LEDGER_PROBE_BACK : LEDGER_PROBE_FORWARD;
    if (scope.weights)
        return form == IM_PACKED ? LEDGER_TO_UNITS : LEDGER_TO_WEIGHTS;
    return LEDGER_FORWARD;
}

/* Arithmetic in whole tiles, as the kernel does it. */
static double tile_operations(size_t m, size_t n, size_t k)
{
    const size_t last = m % IM_GEMM_MR, whole = m - last;
    const size_t rows = whole + (last == 0             ? 0
                                 : last <= IM_GEMM_FEW ? IM_GEMM_FEW
                                                       : IM_GEMM_MR);
    return 2.0 * (double)rows * (double)(im_gemm_panels(n) * IM_GEMM_NR) * (double)k;
}

static void note_product(ledger_entry *e, im_trans form, size_t m, size_t n, size_t k)
{
    e->operations += tile_operations(m, n, k);
    if (m * n * k > e->m * e->n * e->k) {
        e->m = m;
        e->n = n;
        e->k = k;
        e->packed = form == IM_PACKED;
    }
}

#define GEMM_PARAMETERS                                                                       \
    (const im_gemm_kernel *kernel, im_real *c, size_t ldc, const im_real *a, size_t lda,      \
     im_trans form, const im_real *packed, size_t m, size_t n, size_t k, bool accumulate,     \
     im_real *scratch)

WRAPPED(im_gemm);
void __wrap_im_gemm GEMM_PARAMETERS
{
    const ledger_kind kind = product_kind(form);
    const ledger_kind before = mine ? turn_to(kind) : LEDGER_WAIT;
    __real_im_gemm(kernel, c, ldc, a, lda, form, packed, m, n, k, accumulate, scratch);
    if (!mine)
        return;
    turn_to(before);
    note_product(&mine->entry[kind], form, m, n, k);
}

/* ---- opening and closing ---------------------------------------------------------------- */

void ledger_open(ledger_kind rest)
{
    memset(pages, 0, sizeof pages);
    scope = (__typeof__(scope)){.rest = rest};
    rounds = 0;
    mine = &pages[0];
    opened = im_clock();
    mine->since = first_tick = ticks();
    mine->now = rest;
}

/* What it takes to go over from one kind to another, in ticks. */
static double booking_cost(void)
{
    enum { TIMES = 100000 };
    page blank = {.since = ticks()};
    page *own = mine;
    mine = &blank;
    const uint64_t start = ticks();
    for (int i = 0; i < TIMES; i++)
        turn_to(LEDGER_WAIT);
    mine = own;
    return (double)(ticks() - start) / TIMES;
}

static void add_page(ledger *out, const page *p, double tick, double cost)
{
    for (int kind = 0; kind < LEDGER_KINDS; kind++) {
        ledger_entry *e = &out->entry[kind];
        const ledger_entry *own = &p->entry[kind];
        const double booking = cost * (double)p->stretches[kind];
        e->seconds += tick * ((double)p->ticks[kind] - booking);
        e->bytes += own->bytes;
        e->operations += own->operations;
        out->booking += tick * booking;
        if (own->m * own->n * own->k > e->m * e->n * e->k) {
            e->m = own->m;
            e->n = own->n;
            e->k = own->k;
            e->packed = own->packed;
        }
    }
}

void ledger_close(ledger *out)
{
    turn_to(LEDGER_WAIT);
    const double all = (double)(mine->since - first_tick);
    *out = (ledger){.seconds = im_clock() - opened};
    mine = NULL;
    const double tick = out->seconds / all, cost = booking_cost();
    out->alone = tick * (all - (double)rounds);
    for (size_t thread = 0; thread < IM_POOL_MOST; thread++)
        add_page(out, &pages[thread], tick, cost);
}

const char *ledger_name(ledger_kind kind)
{
    static const char *const name[LEDGER_KINDS] = {
        [LEDGER_FORWARD] = "products, forward",
        [LEDGER_PROBE_FORWARD] = "products, power iteration, forward",
        [LEDGER_PROBE_BACK] = "products, power iteration, backward",
        [LEDGER_TO_UNITS] = "products, backward to units",
        [LEDGER_TO_WEIGHTS] = "products, backward to weights",
        [LEDGER_PAIRS] = "products, pairs of bits",
        [LEDGER_NORMALIZE] = "normalization and ReLU, forward",
        [LEDGER_NORMALIZE_BACK] = "normalization and ReLU, backward",
        [LEDGER_PACK] = "packing",
        [LEDGER_TRANSPOSE] = "transposing",
        [LEDGER_ADAM] = "Adam",
        [LEDGER_RANDOM] = "random directions",
        [LEDGER_PERTURB] = "perturbation",
        [LEDGER_BATCH] = "rows of the batch",
        [LEDGER_OBJECTIVE] = "outputs and objective",
        [LEDGER_PASS] = "rest of the passes",
        [LEDGER_WAIT] = "rounds of tasks: begin and end",
    };
    return name[kind];
}
