/* SPDX-License-Identifier: MIT
 *
 * All pairs of rows by blocked matrix products; see candidates.h for what comes out.
 *
 * The rows are cut into blocks, and the tiles are the pairs of blocks I <= J. A tile serves
 * the rows of both its blocks, so two tiles may run at once only if they share no block. The
 * schedule is that of a round-robin tournament: in each round every block meets one other, and
 * after b - 1 rounds (b even) all have met. The tiles on the diagonal are a round of their
 * own. A block is free for its next round as soon as it has played the last one, so threads
 * seldom wait: a barrier after each round of an odd number of tiles leaves one of two idle.
 */
#include "neighbors/candidates.h"

#include "core/alloc.h"
#include "linear/keep.h"
#include "linear/tile.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

enum {
    MAX_BLOCK = 24 * IM_TILE_ROWS,
    MIN_BLOCKS = 32 /* wanted when n is small, for work to share */
};

/* Two blocks in a round; col_block may be beyond the last: then row_block has a bye. */
typedef struct pair {
    size_t row_block, col_block, round;
} pair;

typedef struct search {
    const im_frame *frame;
    im_candidates found;
    size_t n, block, blocks;
    atomic_size_t next;    /* pair to be taken, in the order of the rounds */
    atomic_size_t *played; /* (blocks) rounds that are over for each */
    im_tile_set tiles;
    const im_stage *stage;
    atomic_bool stopped;
    imsat_error *err; /* says so if the caller has stopped the work */
} search;

static size_t block_rows(const search *s, size_t block)
{
    return im_size_min(s->block, s->n - block * s->block);
}

/* ---- one tile -------------------------------------------------------------- */

static void offer(im_candidates *found, size_t row, float sq, size_t other)
{
    uint64_t *heap = found->keys + row * found->capacity;
    const uint64_t key = im_keep_pair(sq, (uint32_t)other);
    if (key >= heap[0])
        return;
    im_keep_replace(heap, found->capacity, key);
    found->sq_limit[row] = im_keep_value(heap[0]);
}

static void offer_both(im_candidates *found, size_t row, size_t col, im_real product)
{
    const float sq = im_tile_sq_distance(found->sq_norm[row], found->sq_norm[col], product);
    if (sq <= found->sq_limit[row])
        offer(found, row, sq, col);
    if (sq <= found->sq_limit[col])
        offer(found, col, sq, row);
}

/* Row `row`, i of the product, against the columns col .. col + cols - 1 beyond it. */
static void scan_row(im_candidates *found, im_tile *w, size_t i, size_t row, size_t col,
                     size_t cols)
{
    const im_real *product = w->product + i * IM_TILE_COLS;
    const size_t chunks = (cols + IM_TILE_CHUNK - 1) / IM_TILE_CHUNK;
    const size_t begin = row < col ? 0 : row + 1 - col;
    im_tile_mark(w, i, found->sq_norm[row], found->sq_limit[row], found->sq_norm + col,
                 found->sq_limit + col, chunks);
    for (size_t c = begin / IM_TILE_CHUNK; c < chunks; c++) {
        if (!w->mark[c])
            continue;
        const size_t from = c * IM_TILE_CHUNK < begin ? begin : c * IM_TILE_CHUNK;
        const size_t to = im_size_min((c + 1) * IM_TILE_CHUNK, cols);
        for (size_t j = from; j < to; j++)
            offer_both(found, row, col + j, product[j]);
    }
}

/* `rows` rows from i of the row block on, against the columns from j of the other. */
static void strip(search *s, im_tile *w, pair at, size_t i, size_t rows, size_t j, size_t cols)
{
    const size_t row = at.row_block * s->block + i, col = at.col_block * s->block + j;
    if (row >= col + IM_TILE_COLS) /* below the diagonal */
        return;
    im_tile_multiply(w, rows, w->packed, j, cols);
    for (size_t k = 0; k < rows; k++)
        scan_row(&s->found, w, k, row + k, col, cols);
}

static void meet(search *s, im_tile *w, pair at)
{
    const size_t rows = block_rows(s, at.row_block), cols = block_rows(s, at.col_block);
    im_tile_columns(w, s->frame, at.col_block * s->block, cols);
    for (size_t i = 0; i < rows; i += IM_TILE_ROWS) {
        const size_t count = im_size_min(IM_TILE_ROWS, rows - i);
        im_tile_load(w, s->frame, NULL, at.row_block * s->block + i, count);
        for (size_t j = 0; j < cols; j += IM_TILE_COLS)
            strip(s, w, at, i, count, j, im_size_min(IM_TILE_COLS, cols - j));
    }
}

/* ---- the schedule ---------------------------------------------------------- */

static size_t players(const search *s)
{
    return s->blocks + s->blocks % 2;
}

/* Round 0 is the diagonal. In the others the players 0 .. p - 2 stand in a circle that turns,
 * p - 1 in its middle. */
static pair find_pair(const search *s, size_t task)
{
    if (task < s->blocks)
        return (pair){task, task, 0};
    const size_t all = players(s), circle = all - 1, i = (task - s->blocks) % (all / 2);
    const size_t round = (task - s->blocks) / (all / 2) + 1;
    const size_t a = (round - 1 + i) % circle;
    const size_t b = i == 0 ? circle : (round - 1 + circle - i) % circle;
    return a < b ? (pair){a, b, round} : (pair){b, a, round};
}

static size_t count_tasks(const search *s)
{
    return s->blocks + (players(s) - 1) * (players(s) / 2);
}

/* Pairs are taken in their order, so whatever this waits for is under way. */
static void wait_for(const search *s, size_t block, size_t round)
{
    while (atomic_load(&s->played[block]) < round)
        sched_yield();
}

/* The caller's own thread tells how far the work is, and hears whether to go on. */
static void report(search *s, size_t task)
{
    const double share = (double)task / (double)count_tasks(s);
    if (im_stage_report(s->stage, share, s->err) != IMSAT_OK)
        atomic_store(&s->stopped, true);
}

/* The pool's tasks come in no order: the number is only one more pair to take. */
static void pair_task(void *context, size_t number, int thread)
{
    (void)number;
    search *s = context;
    const size_t task = atomic_fetch_add(&s->next, 1);
    const pair at = find_pair(s, task);
    if (thread == 0 && !atomic_load(&s->stopped))
        report(s, task);
    const bool bye = at.col_block >= s->blocks;
    wait_for(s, at.row_block, at.round);
    if (!bye)
        wait_for(s, at.col_block, at.round);
    if (!bye && !atomic_load(&s->stopped))
        meet(s, &s->tiles.per_thread[thread], at);
    atomic_fetch_add(&s->played[at.row_block], 1);
    if (!bye && at.col_block != at.row_block)
        atomic_fetch_add(&s->played[at.col_block], 1);
}

/* ---- memory ---------------------------------------------------------------- */

static imsat_status allocate(search *s, size_t threads, imsat_error *err)
{
    im_candidates *f = &s->found;
    const size_t padded = s->blocks * s->block;
    f->keys = im_alloc(s->n * f->capacity, sizeof *f->keys);
    f->sq_norm = im_alloc(padded, sizeof *f->sq_norm);
    f->sq_limit = im_alloc(padded, sizeof *f->sq_limit);
    if (!f->keys || !f->sq_norm || !f->sq_limit)
        return im_fail_memory(err, "the neighbors of all rows (--neighbor says how many)");
    s->played = im_alloc(s->blocks, sizeof *s->played);
    if (!s->played)
        return im_fail_memory(err, "the neighbor search");
    for (size_t i = 0; i < s->blocks; i++)
        atomic_init(&s->played[i], 0);
    im_keep_reset(f->keys, s->n * f->capacity, im_keep_pair(INFINITY, UINT32_MAX));
    for (size_t i = 0; i < s->n; i++)
        f->sq_limit[i] = INFINITY;
    return im_tile_set_new(&s->tiles, threads, s->block, s->frame->d, err);
}

static void search_clear(search *s)
{
    im_candidates_clear(&s->found);
    im_free(s->played);
    im_tile_set_clear(&s->tiles);
}

/* ---- interface ------------------------------------------------------------- */

imsat_status im_candidates_check(const imsat_data *data, size_t capacity, imsat_error *err)
{
    const size_t n = data->rows;
    size_t keys = 0, bytes = 0;
    if (n < 2 || data->dim < 1)
        return im_fail(err, IMSAT_EINVAL,
                       "%zu rows of %zu columns have no neighbors; 2 rows are the least", n,
                       data->dim);
    if (n > UINT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%zu rows are too many to compare all pairs", n);
    capacity = im_size_min(capacity, n - 1);
    if (!im_size_mul(&keys, n, capacity) || !im_size_mul(&bytes, keys, sizeof(uint64_t)))
        return im_fail(err, IMSAT_ENOMEM,
                       "%zu neighbors of each of %zu rows are more than any memory holds; "
                       "take a smaller t",
                       capacity, n);
    return IMSAT_OK;
}

imsat_status im_candidates_find(im_candidates *out, const im_frame *frame, size_t capacity,
                                im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage all = im_stage_part(stage, 0, 1), still = im_stage_part(stage, 0, 0);
    const size_t threads = (size_t)im_pool_threads(pool);
    search s = {.frame = frame, .n = frame->n, .stage = &all, .err = err};
    assert(capacity >= 1 && 2 <= frame->n && frame->n <= UINT32_MAX);
    s.block = im_tile_room(im_size_min(s.n / MIN_BLOCKS, MAX_BLOCK), frame->d, threads);
    s.blocks = (s.n + s.block - 1) / s.block;
    s.found.n = s.n;
    s.found.bound = (im_bound){.dim = frame->d, .factor = frame->factor};
    s.found.capacity = im_size_min(capacity, s.n - 1);
    IM_TRY(allocate(&s, threads, err));
    IM_TRY(im_frame_sq_norms(s.found.sq_norm, frame, pool, &still, err));
    im_pool_run(pool, pair_task, &s, count_tasks(&s));
    if (atomic_load(&s.stopped)) {
        st = IMSAT_ESTOPPED;
        goto cleanup;
    }
    *out = s.found;
    s.found = (im_candidates){0};

cleanup:
    search_clear(&s);
    return st;
}

bool im_candidates_complete(const im_candidates *c, size_t row, double distance)
{
    assert(row < c->n);
    return c->capacity == c->n - 1 ||
           im_bound_sq(&c->bound, c->sq_norm[row], distance) <= c->sq_limit[row];
}

void im_candidates_clear(im_candidates *candidates)
{
    im_free(candidates->keys);
    im_free(candidates->sq_norm);
    im_free(candidates->sq_limit);
    *candidates = (im_candidates){0};
}
