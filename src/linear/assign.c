/* SPDX-License-Identifier: MIT
 *
 * A task takes a strip of rows: moves their bounds, lists those in question, and for each
 * panel multiplies those that need it, which are copied together unless they lie so already.
 */
#include "linear/assign.h"

#include "core/alloc.h"
#include "core/sparse.h"

#include <math.h>

enum {
    STRIP = 384, /* rows of a task, at most: the more, the better are the products of a panel
                    filled. MNIST with k = 1000 took 5.14 s with 96, 4.49 with 192, 4.35 with
                    384 and with 768 */
    STRIP_REALS = 1 << 20, /* of the rows of a task, at most, unless one tile takes more */
    LANES = 16,            /* sums of a product that are made side by side */
    SPAN = 1024,           /* rows of a task that finds norms */
    AT_ONCE = 4096         /* tasks between two reports of progress */
};

/* Bounds that would take more memory are left out. */
static const size_t BOUNDS_BYTES = (size_t)1 << 30;

/* Beyond what a few operations in float lose. */
static const float UP = 1 + 0x1p-20F, DOWN = 1 - 0x1p-20F;

/* The best center of a row so far. */
typedef struct winner {
    im_real score;
    im_real second; /* the best score of the others in its slot */
    uint32_t column;
    float slack; /* 2 e */
} winner;

typedef struct im_assign_lane {
    im_rows_scratch read;
    im_real *rows;          /* (strip,d): rows in question, where no copy is kept */
    im_real *together;      /* (strip,d): those that a panel needs */
    im_real *product;       /* (strip,IM_GEMM_NR) */
    im_real *gemm;          /* (IM_GEMM_SCRATCH) */
    const im_real **at;     /* (strip): the rows in question */
    im_gemm_sparse *sparse; /* (strip): the same of sparse rows; their values are in `rows` */
    uint32_t *open;         /* (strip): their numbers */
    unsigned char *need;    /* (strip,panels): whether it needs the panel */
    uint32_t *pick;         /* (strip): which of the rows in question a panel multiplies */
    winner *best;           /* (strip) */
} lane;

/* ---- memory ---------------------------------------------------------------- */

static void carve(lane *w, im_carver *c, size_t strip, const im_centers *centers, bool kept)
{
    const size_t d = centers->d;
    w->read.raw = im_carve(c, d, sizeof *w->read.raw);
    w->read.prepare = im_carve(c, d, sizeof *w->read.prepare);
    w->rows = im_carve(c, kept ? d : strip * d, sizeof *w->rows);
    w->together = im_carve(c, strip * d, sizeof *w->together);
    w->product = im_carve(c, strip * IM_GEMM_NR, sizeof *w->product);
    w->gemm = im_carve(c, IM_GEMM_SCRATCH, sizeof *w->gemm);
    w->at = im_carve(c, strip, sizeof *w->at);
    w->sparse = im_carve(c, strip, sizeof *w->sparse);
    w->open = im_carve(c, strip, sizeof *w->open);
    w->need = im_carve(c, strip * centers->panels, sizeof *w->need);
    w->pick = im_carve(c, strip, sizeof *w->pick);
    w->best = im_carve(c, strip, sizeof *w->best);
}

static imsat_status lanes_new(im_assign *a, const im_centers *centers, size_t threads,
                              imsat_error *err)
{
    const bool kept = a->rows.frame->kept != NULL;
    im_carver carver = {NULL, 0};
    lane one;
    carve(&one, &carver, a->strip, centers, kept);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    a->lane = im_alloc(threads, sizeof *a->lane);
    a->memory = im_alloc(threads, bytes);
    if (!a->lane || !a->memory)
        return im_fail_memory(err, "the nearest centers");
    for (size_t i = 0; i < threads; i++) {
        carver = (im_carver){(char *)a->memory + i * bytes, 0};
        carve(&a->lane[i], &carver, a->strip, centers, kept);
    }
    return IMSAT_OK;
}

/* Whole tiles; at least eight tasks a thread, so that none waits long for another. */
static size_t strip_of(size_t n, size_t d, size_t threads)
{
    size_t rows = n / (8 * threads);
    rows = rows < STRIP ? rows : STRIP;
    rows = rows < STRIP_REALS / d ? rows : STRIP_REALS / d;
    return rows < IM_GEMM_MR ? IM_GEMM_MR : rows / IM_GEMM_MR * IM_GEMM_MR;
}

static size_t tasks_of(const im_assign *a)
{
    return (a->rows.n + a->strip - 1) / a->strip;
}

static size_t bounds_of(const im_centers *centers)
{
    return centers->panels * centers->slots;
}

/* Bytes that the bounds of n rows may take; a row needs some 60 for all else. */
static size_t bounds_budget(size_t n)
{
    enum { A_ROW = 64 };
    return im_alloc_spare(BOUNDS_BYTES, n * A_ROW);
}

IM_CLONES static double square(const im_real *row, size_t d)
{
    double sum[LANES] = {0}, all = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t i = 0; i < LANES; i++)
            sum[i] += (double)row[j + i] * row[j + i];
    for (; j < d; j++)
        all += (double)row[j] * row[j];
    for (size_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

static void norm_task(void *context, size_t task, int thread)
{
    const im_assign *a = context;
    const lane *w = &a->lane[thread];
    const size_t first = task * SPAN;
    const size_t end = a->rows.n - first < SPAN ? a->rows.n : first + SPAN;
    for (size_t i = first; i < end; i++) {
        const im_real *row = im_rows_scaled(&a->rows, i, w->rows, &w->read);
        a->norm[i] = (float)square(row, a->rows.frame->d);
    }
}

imsat_status im_assign_new(im_assign *out, const im_rows *rows, const im_centers *centers,
                           bool bounded, im_pool *pool, const im_stage *stage,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const size_t n = rows->n, threads = (size_t)im_pool_threads(pool);
    im_assign a = {.rows = *rows, .strip = strip_of(n, centers->d, threads)};
    a.column = im_alloc(n, sizeof *a.column);
    a.norm = im_alloc(n, sizeof *a.norm);
    bounded = bounded && bounds_of(centers) <= bounds_budget(n) / sizeof *a.lower / n;
    if (bounded) {
        a.upper = im_alloc(n, sizeof *a.upper);
        a.lower = im_alloc(n * bounds_of(centers), sizeof *a.lower);
    }
    if (!a.column || !a.norm || (bounded && (!a.upper || !a.lower))) {
        st = im_fail_memory(err, "the nearest centers");
        goto cleanup;
    }
    IM_TRY(lanes_new(&a, centers, threads, err));
    IM_TRY(im_stage_run(&whole, pool, norm_task, &a, (n + SPAN - 1) / SPAN, SIZE_MAX, err));
    im_assign_reset(&a, centers);
    *out = a;
    return IMSAT_OK;

cleanup:
    im_assign_clear(&a);
    return st;
}

void im_assign_clear(im_assign *assign)
{
    im_free(assign->column);
    im_free(assign->norm);
    im_free(assign->upper);
    im_free(assign->lower);
    im_free(assign->lane);
    im_free(assign->memory);
    *assign = (im_assign){0};
}

void im_assign_forget(im_assign *assign, const im_centers *centers, size_t i)
{
    const size_t bounds = bounds_of(centers);
    if (!assign->upper)
        return;
    assign->upper[i] = INFINITY;
    for (size_t s = 0; s < bounds; s++)
        assign->lower[i * bounds + s] = -INFINITY;
}

void im_assign_reset(im_assign *assign, const im_centers *centers)
{
    for (size_t i = 0; i < assign->rows.n; i++) {
        assign->column[i] = IM_ASSIGN_NONE;
        im_assign_forget(assign, centers, i);
    }
}

/* ---- bounds ---------------------------------------------------------------- */

typedef struct pass {
    im_assign *assign;
    const im_centers *centers;
    const im_gemm_kernel *kernel;
} pass;

/* 2 e */
static float slack_of(const im_centers *centers, float norm)
{
    const double d = (double)centers->d, s = sqrt(norm) * UP + centers->reach;
    const double h = (d + 16) * 0x1p-24, g = h < 1 ? h / (1 - h) : INFINITY;
    return (float)(g * s * s + d * 0x1p-139) * UP;
}

/* A lower bound below this one is in question: sqrt(upper^2 + 4 e). */
static float limit_of(float upper, float slack)
{
    return sqrtf(upper * upper + 2 * slack) * UP;
}

/* At least the distance to the center of that score. */
static float above(float norm, im_real score, float slack)
{
    const float sq = (float)(norm - 2 * score + slack);
    return sq > 0 ? sqrtf(sq) * UP : 0;
}

/* At most that. */
static inline float below(float norm, im_real score, float slack)
{
    const float sq = (float)(norm - 2 * score - slack);
    return sqrtf(sq > 0 ? sq : 0) * DOWN;
}

/* Centers have moved. Returns whether a bound is in question now. */
IM_CLONES static bool lower_all(float *lower, const float *drift, float limit, size_t count)
{
    unsigned any = 0;
    for (size_t i = 0; i < count; i++) {
        lower[i] = (lower[i] - drift[i]) * DOWN;
        any |= lower[i] <= limit;
    }
    return any;
}

/* a . b, in any order of the sum: only bounds are made of it. */
IM_CLONES static im_real dot(const im_real *a, const im_real *b, size_t d)
{
    im_real sum[LANES] = {0}, all = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t i = 0; i < LANES; i++)
            sum[i] += a[j + i] * b[j + i];
    for (; j < d; j++)
        all += a[j] * b[j];
    for (size_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

/* The same of a sparse row. */
static im_real sparse_dot(const im_gemm_sparse *a, const im_real *b)
{
    im_real all = 0;
    for (size_t e = 0; e < a->count; e++)
        all += a->value[e] * b[a->column[e]];
    return all;
}

/* Row i becomes the lane's row r in question. */
static void load(const im_assign *a, lane *w, size_t i, size_t r)
{
    const im_frame *frame = a->rows.frame;
    im_real *room = w->rows + r * frame->d * !frame->kept;
    if (im_frame_is_sparse(frame))
        w->sparse[r] = im_frame_sparse(frame, im_rows_place(&a->rows, i), room, w->read.raw);
    else
        w->at[r] = im_rows_scaled(&a->rows, i, room, &w->read);
}

/* Of the lane's row r with a center (d), for a bound. */
static im_real product_of(const im_assign *a, const lane *w, size_t r, const im_real *center)
{
    if (im_frame_is_sparse(a->rows.frame))
        return sparse_dot(&w->sparse[r], center);
    return dot(w->at[r], center, a->rows.frame->d);
}

/* need (panels): which panels have a bound in question; if any has, so has the row's own,
 * from which its score is taken. */
static bool mark_panels(unsigned char *need, const float *lower, float limit, uint32_t column,
                        const im_centers *centers)
{
    unsigned any = 0;
    for (size_t p = 0; p < centers->panels; p++) {
        unsigned here = 0;
        for (size_t s = 0; s < centers->slots; s++)
            here |= lower[p * centers->slots + s] <= limit;
        need[p] = (unsigned char)here;
        any |= here;
    }
    if (any && column != IM_ASSIGN_NONE)
        need[column / IM_GEMM_NR] = 1;
    return any;
}

/* Move the bounds of row i, and if they do not tell, make it the lane's row r in question. */
static bool in_question(const pass *p, lane *w, size_t i, size_t r)
{
    im_assign *a = p->assign;
    const im_centers *c = p->centers;
    const size_t bounds = bounds_of(c), d = c->d;
    const uint32_t column = a->column[i];
    unsigned char *need = w->need + r * c->panels;
    const float slack = slack_of(c, a->norm[i]);
    w->open[r] = (uint32_t)i;
    w->best[r] = (winner){-INFINITY, -INFINITY, IM_ASSIGN_NONE, slack};
    if (!a->upper) {
        memset(need, 1, c->panels);
    } else {
        float *lower = a->lower + i * bounds;
        if (column != IM_ASSIGN_NONE)
            a->upper[i] = (a->upper[i] + c->drift[column]) * UP;
        if (!lower_all(lower, c->slot_drift, limit_of(a->upper[i], slack), bounds))
            return false;
    }
    load(a, w, i, r);
    if (!a->upper)
        return true;
    if (column != IM_ASSIGN_NONE) {
        const im_real score = product_of(a, w, r, c->at + column * d) - c->half[column];
        a->upper[i] = fminf(a->upper[i], above(a->norm[i], score, slack));
    }
    return mark_panels(need, a->lower + i * bounds, limit_of(a->upper[i], slack), column, c);
}

/* ---- products -------------------------------------------------------------- */

/* lower (slots) = bounds of a panel's slots, by their best scores. Returns the best of all. */
IM_CLONES static im_real slot_bounds(float *lower, const im_real *product, const im_real *half,
                                     float norm, float slack, size_t slots)
{
    im_real score[IM_GEMM_NR], top;
    size_t count = IM_GEMM_NR;
    for (size_t j = 0; j < IM_GEMM_NR; j++)
        score[j] = product[j] - half[j];
    for (; count > slots; count /= 2)
        for (size_t j = 0; j < count / 2; j++)
            score[j] = score[j] > score[j + count / 2] ? score[j] : score[j + count / 2];
    for (size_t j = 0; lower && j < slots; j++)
        lower[j] = below(norm, score[j], slack);
    top = score[0];
    for (size_t j = 1; j < slots; j++)
        top = score[j] > top ? score[j] : top;
    return top;
}

/* A panel's best score is at least the row's best so far: find its column. Where scores are
 * equal the center of the lower number is nearer. */
static void challenge(winner *best, const im_centers *c, size_t panel, const im_real *product,
                      im_real top)
{
    const im_real *half = c->half + panel * IM_GEMM_NR;
    size_t j = 0;
    while (product[j] - half[j] < top)
        j++;
    const size_t column = panel * IM_GEMM_NR + j;
    if (top == best->score && best->column != IM_ASSIGN_NONE &&
        c->number[column] > c->number[best->column])
        return;
    best->score = top;
    best->column = (uint32_t)column;
    best->second = -INFINITY;
    for (size_t i = j % c->slots; i < IM_GEMM_NR; i += c->slots) {
        const im_real score = product[i] - half[i];
        if (i != j && score > best->second)
            best->second = score;
    }
}

/* The rows of a lane that are picked, one after another in memory. */
static const im_real *gather(lane *w, size_t count, size_t d)
{
    bool together = true;
    for (size_t i = 1; i < count && together; i++)
        together = w->at[w->pick[i]] == w->at[w->pick[i - 1]] + d;
    if (together)
        return w->at[w->pick[0]];
    for (size_t i = 0; i < count; i++)
        memcpy(w->together + i * d, w->at[w->pick[i]], d * sizeof *w->together);
    return w->together;
}

/* The products of the rows of a lane that are picked with the centers of a panel. */
static void multiply(const pass *p, lane *w, size_t panel, size_t count)
{
    const im_centers *c = p->centers;
    const im_real *packed = c->packed + panel * im_gemm_panel(c->d);
    if (!im_frame_is_sparse(p->assign->rows.frame))
        im_gemm(p->kernel, w->product, IM_GEMM_NR, gather(w, count, c->d), c->d, IM_NO, packed,
                count, IM_GEMM_NR, c->d, false, w->gemm);
    else
        for (size_t m = 0; m < count; m++)
            im_sparse_multiply_row(p->kernel, w->product + m * IM_GEMM_NR,
                                   &w->sparse[w->pick[m]], packed, IM_GEMM_NR, c->d);
}

/* The rows in question that need a panel meet its centers. */
static void meet_panel(const pass *p, lane *w, size_t panel, size_t open)
{
    const im_assign *a = p->assign;
    const im_centers *c = p->centers;
    const size_t bounds = bounds_of(c), first = panel * IM_GEMM_NR;
    size_t count = 0;
    for (size_t r = 0; r < open; r++)
        if (w->need[r * c->panels + panel])
            w->pick[count++] = (uint32_t)r;
    if (count == 0)
        return;
    multiply(p, w, panel, count);
    for (size_t m = 0; m < count; m++) {
        const im_real *product = w->product + m * IM_GEMM_NR;
        winner *best = &w->best[w->pick[m]];
        const size_t i = w->open[w->pick[m]];
        float *lower = a->lower ? a->lower + i * bounds + panel * c->slots : NULL;
        const im_real top =
            slot_bounds(lower, product, c->half + first, a->norm[i], best->slack, c->slots);
        if (top >= best->score)
            challenge(best, c, panel, product, top);
    }
}

/* The best center of a row in question is its own now. */
static void settle(const pass *p, const lane *w, size_t r)
{
    im_assign *a = p->assign;
    const im_centers *c = p->centers;
    const winner *best = &w->best[r];
    const size_t i = w->open[r], panel = best->column / IM_GEMM_NR;
    const size_t slot = panel * c->slots + best->column % c->slots;
    a->column[i] = best->column;
    if (!a->upper)
        return;
    a->upper[i] = above(a->norm[i], best->score, best->slack);
    a->lower[i * bounds_of(c) + slot] = below(a->norm[i], best->second, best->slack);
}

static void assign_task(void *context, size_t task, int thread)
{
    const pass *p = context;
    const im_assign *a = p->assign;
    lane *w = &a->lane[thread];
    const size_t n = a->rows.n, first = task * a->strip;
    const size_t end = n - first < a->strip ? n : first + a->strip;
    size_t open = 0;
    for (size_t i = first; i < end; i++)
        open += in_question(p, w, i, open);
    for (size_t panel = 0; panel < p->centers->panels && open > 0; panel++)
        meet_panel(p, w, panel, open);
    for (size_t r = 0; r < open; r++)
        settle(p, w, r);
}

imsat_status im_assign_pass(im_assign *assign, const im_centers *centers, im_pool *pool,
                            const im_stage *stage, imsat_error *err)
{
    pass p = {assign, centers, im_gemm_select(false)};
    return im_stage_run(stage, pool, assign_task, &p, tasks_of(assign), AT_ONCE, err);
}
