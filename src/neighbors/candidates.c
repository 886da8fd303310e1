/* SPDX-License-Identifier: MIT
 *
 * All pairs of rows by blocked matrix products; see candidates.h for what comes out.
 *
 * The rows are cut into blocks, and the tiles are the pairs of blocks I <= J. A tile serves
 * the rows of both its blocks, so two tiles may run at once only if they share no block. The
 * schedule is that of a round-robin tournament: in each round every block meets one other,
 * after b - 1 rounds (b even) all have met, and no locks are needed. The tiles on the
 * diagonal are a round of their own.
 *
 * Of a tile's distances nearly all are too long to matter: a branch-free scan compares each
 * with the larger of the limits of its two ends and marks the runs of CHUNK columns that hold
 * something; only these are looked at one by one. The limits of the columns lie along the
 * row, so the column ends cost no pass of their own.
 *
 * The rows of a block are prepared anew for each of its tiles. Keeping all of them, n d
 * floats, saved 5 % of the time (MNIST, n 30000, d 784, 2 cores: 4.0 for 4.2 s) and was not
 * worth it.
 */
#include "neighbors/candidates.h"

#include "core/alloc.h"
#include "core/gemm.h"
#include "neighbors/keep.h"

#include <math.h>

enum {
    STRIP = 8 * IM_GEMM_MR, /* rows, and */
    WIDTH = 4 * STRIP,      /* columns, multiplied and then scanned while still in cache */
    CHUNK = 32,             /* columns that share a mark; divides STRIP */
    MAX_BLOCK = 16 * STRIP,
    MIN_BLOCKS = 32,       /* wanted when n is small, for work to share */
    BLOCK_REALS = 1 << 22, /* of a block's rows: 16 MiB of scratch a thread */
    SAMPLE = 4096,         /* rows whose mean is the center */
    TASKS_A_CALL = 256     /* tiles between two calls of progress */
};

static const double UNIT = 0x1p-24; /* u: half the spacing of floats at 1 */

/* What one thread works in. */
typedef struct scratch {
    float *raw;          /* (d) */
    double *prepare;     /* (d) */
    im_real *rows;       /* (block, d) of the block being read */
    im_real *packed;     /* the rows of J, packed as the right factor */
    im_real *product;    /* (STRIP, WIDTH) */
    im_real *gemm;       /* (IM_GEMM_SCRATCH) */
    unsigned char *mark; /* (WIDTH / CHUNK) */
} scratch;

typedef struct tile {
    size_t row_block, col_block;
} tile;

typedef struct search {
    const imsat_data *data;
    const im_preprocess *pre;
    const im_gemm_kernel *kernel;
    im_candidates found;
    size_t n, d, block, blocks;
    double *center;   /* (d) */
    double *largest;  /* (blocks): largest |x - center| of the block */
    tile *tiles;      /* (blocks) of the round */
    scratch *scratch; /* (threads) */
    void *scratch_block;
} search;

/* ---- rows ------------------------------------------------------------------ */

static void prepared_row(const search *s, size_t row, scratch *w)
{
    im_data_row(w->raw, s->data, row);
    im_preprocess_row(w->raw, w->raw, s->pre, w->prepare);
}

/* out (d) = the row as the header says; returns its squared norm. */
static double scaled_row(im_real *out, const search *s, size_t row, scratch *w)
{
    double sq = 0;
    prepared_row(s, row, w);
    for (size_t j = 0; j < s->d; j++) {
        out[j] = (im_real)((w->raw[j] - s->center[j]) * s->found.factor);
        sq += (double)out[j] * out[j];
    }
    return sq;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t block_rows(const search *s, size_t block)
{
    return smaller(s->block, s->n - block * s->block);
}

/* The scaled rows of a block, in w->rows. */
static void load_rows(const search *s, size_t block, scratch *w)
{
    const size_t first = block * s->block, count = block_rows(s, block);
    for (size_t i = 0; i < count; i++)
        scaled_row(w->rows + i * s->d, s, first + i, w);
}

static void measure_task(void *context, size_t block, int thread)
{
    search *s = context;
    const size_t first = block * s->block, count = block_rows(s, block);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        scratch *w = &s->scratch[thread];
        prepared_row(s, first + i, w);
        for (size_t j = 0; j < s->d; j++)
            largest = fmax(largest, fabs(w->raw[j] - s->center[j]));
    }
    s->largest[block] = largest;
}

static void norm_task(void *context, size_t block, int thread)
{
    search *s = context;
    scratch *w = &s->scratch[thread];
    const size_t first = block * s->block, count = block_rows(s, block);
    for (size_t i = first; i < first + count; i++) {
        s->found.norm[i] = (float)scaled_row(w->rows, s, i, w);
        s->found.limit[i] = INFINITY;
        im_keep_reset(s->found.keys + i * s->found.capacity, s->found.capacity,
                      im_keep_pair(INFINITY, UINT32_MAX));
    }
}

/* Any center gives the same distances; a good one makes the norms, and the errors, small. */
static void find_center(search *s)
{
    const size_t count = smaller(s->n, SAMPLE);
    scratch *w = &s->scratch[0];
    for (size_t i = 0; i < count; i++) {
        prepared_row(s, (size_t)((double)i / (double)count * (double)s->n), w);
        for (size_t j = 0; j < s->d; j++)
            s->center[j] += w->raw[j] / (double)count;
    }
}

static void prepare(search *s, im_pool *pool)
{
    double largest = 0;
    int exponent = 0;
    find_center(s);
    im_pool_run(pool, measure_task, s, s->blocks);
    for (size_t i = 0; i < s->blocks; i++)
        largest = fmax(largest, s->largest[i]);
    frexp(largest, &exponent);
    s->found.factor = ldexp(1, -exponent);
    im_pool_run(pool, norm_task, s, s->blocks);
}

/* ---- one tile -------------------------------------------------------------- */

/* mark[c] = 1 if a column of chunk c may enter the list of its row or of its column. The
 * distance is written as in offer_both(): the same operations give the same bits. */
IM_CLONES static void mark_chunks(unsigned char *mark, const im_real *product,
                                  const float *norm, const float *limit, float row_norm,
                                  float row_limit, size_t chunks)
{
    for (size_t c = 0; c < chunks; c++) {
        unsigned any = 0;
        for (size_t j = c * CHUNK; j < (c + 1) * CHUNK; j++) {
            const float sq = (float)((row_norm + norm[j]) - 2 * product[j]);
            const float bar = limit[j] > row_limit ? limit[j] : row_limit;
            any |= sq <= bar;
        }
        mark[c] = (unsigned char)any;
    }
}

static void offer(im_candidates *found, size_t row, float sq, size_t other)
{
    uint64_t *heap = found->keys + row * found->capacity;
    const uint64_t key = im_keep_pair(sq, (uint32_t)other);
    if (key >= heap[0])
        return;
    im_keep_replace(heap, found->capacity, key);
    found->limit[row] = im_keep_value(heap[0]);
}

static void offer_both(im_candidates *found, size_t row, size_t col, im_real product)
{
    const float sq = (float)((found->norm[row] + found->norm[col]) - 2 * product);
    if (sq <= found->limit[row])
        offer(found, row, sq, col);
    if (sq <= found->limit[col])
        offer(found, col, sq, row);
}

/* Row `row` against the columns first_col .. first_col + cols - 1 beyond it. */
static void scan_row(im_candidates *found, const im_real *product, size_t row,
                     size_t first_col, size_t cols, unsigned char *mark)
{
    const size_t chunks = (cols + CHUNK - 1) / CHUNK;
    const size_t begin = row < first_col ? 0 : row + 1 - first_col;
    mark_chunks(mark, product, found->norm + first_col, found->limit + first_col,
                found->norm[row], found->limit[row], chunks);
    for (size_t c = begin / CHUNK; c < chunks; c++) {
        if (!mark[c])
            continue;
        const size_t from = c * CHUNK < begin ? begin : c * CHUNK;
        const size_t to = smaller((c + 1) * CHUNK, cols);
        for (size_t j = from; j < to; j++)
            offer_both(found, row, first_col + j, product[j]);
    }
}

/* Rows `row` on, `rows` of them, against columns `col` on; left holds the rows. */
static void strip(search *s, const im_real *left, size_t row, size_t rows, size_t col,
                  size_t cols, const im_real *packed, scratch *w)
{
    im_gemm(s->kernel, w->product, WIDTH, left, s->d, IM_NO, packed, rows, cols, s->d, false,
            w->gemm);
    for (size_t i = 0; i < rows; i++)
        scan_row(&s->found, w->product + i * WIDTH, row + i, col, cols, w->mark);
}

static void tile_task(void *context, size_t task, int thread)
{
    search *s = context;
    scratch *w = &s->scratch[thread];
    const tile at = s->tiles[task];
    const size_t row = at.row_block * s->block, rows = block_rows(s, at.row_block);
    const size_t col = at.col_block * s->block, cols = block_rows(s, at.col_block);

    load_rows(s, at.col_block, w);
    im_gemm_pack(w->packed, w->rows, s->d, IM_TRANS, s->d, cols, 0, im_gemm_panels(cols));
    load_rows(s, at.row_block, w);
    for (size_t j = 0; j < cols; j += WIDTH)
        for (size_t i = 0; i < rows; i += STRIP)
            if (row + i < col + j + WIDTH) /* else below the diagonal */
                strip(s, w->rows + i * s->d, row + i, smaller(STRIP, rows - i), col + j,
                      smaller(WIDTH, cols - j), w->packed + j * s->d, w);
}

/* ---- the schedule ---------------------------------------------------------- */

/* Fill s->tiles with those of a round; returns how many. Round 0 is the diagonal. In the
 * others the players 0 .. p - 2 stand in a circle that turns, p - 1 in its middle; a player
 * beyond the last block is a bye. */
static size_t draw_round(search *s, size_t round)
{
    const size_t players = s->blocks + s->blocks % 2, circle = players - 1;
    size_t count = 0;
    if (round == 0) {
        for (size_t i = 0; i < s->blocks; i++)
            s->tiles[i] = (tile){i, i};
        return s->blocks;
    }
    for (size_t i = 0; i < players / 2; i++) {
        const size_t a = (round - 1 + i) % circle;
        const size_t b = i == 0 ? circle : (round - 1 + circle - i) % circle;
        if (a < s->blocks && b < s->blocks)
            s->tiles[count++] = a < b ? (tile){a, b} : (tile){b, a};
    }
    return count;
}

static imsat_status run_round(search *s, size_t tiles, size_t *done, im_pool *pool,
                              im_radius_progress_fn progress, void *user, imsat_error *err)
{
    const double all = (double)s->blocks * ((double)s->blocks + 1) / 2;
    tile *const first = s->tiles;
    for (size_t i = 0; i < tiles; i += TASKS_A_CALL) {
        const size_t count = smaller(TASKS_A_CALL, tiles - i);
        s->tiles = first + i;
        im_pool_run(pool, tile_task, s, count);
        s->tiles = first;
        *done += count;
        if (progress && progress(user, (double)*done / all))
            return im_fail(err, IMSAT_ESTOPPED, "stopped while computing the radius");
    }
    return IMSAT_OK;
}

/* ---- memory ---------------------------------------------------------------- */

/* Rows of a block: whole strips, few enough that there are MIN_BLOCKS, and that the scratch
 * stays small when rows are long. Not a function of the number of threads. */
static size_t block_size(size_t n, size_t d)
{
    const size_t rows = smaller(n / MIN_BLOCKS, smaller(BLOCK_REALS / d, MAX_BLOCK));
    return rows < STRIP ? STRIP : rows / STRIP * STRIP;
}

static void carve(scratch *w, im_carver *c, const search *s)
{
    w->raw = im_carve(c, s->d, sizeof *w->raw);
    w->prepare = im_carve(c, s->d, sizeof *w->prepare);
    w->rows = im_carve(c, s->block * s->d, sizeof *w->rows);
    w->packed = im_carve(c, im_gemm_packed(s->d, s->block), sizeof *w->packed);
    w->product = im_carve(c, STRIP * WIDTH, sizeof *w->product);
    w->gemm = im_carve(c, IM_GEMM_SCRATCH, sizeof *w->gemm);
    w->mark = im_carve(c, WIDTH / CHUNK, sizeof *w->mark);
}

static imsat_status allocate_scratch(search *s, size_t threads, imsat_error *err)
{
    im_carver carver = {NULL, 0};
    scratch one;
    carve(&one, &carver, s);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    s->scratch = im_alloc(threads, sizeof *s->scratch);
    s->scratch_block = im_alloc(threads, bytes);
    if (!s->scratch || !s->scratch_block)
        return im_fail_memory(err, "the scratch of the neighbor search");
    for (size_t i = 0; i < threads; i++) {
        carver = (im_carver){(char *)s->scratch_block + i * bytes, 0};
        carve(&s->scratch[i], &carver, s);
    }
    return IMSAT_OK;
}

static imsat_status allocate(search *s, size_t threads, imsat_error *err)
{
    im_candidates *f = &s->found;
    const size_t padded = s->blocks * s->block;
    f->keys = im_alloc(s->n * f->capacity, sizeof *f->keys);
    f->norm = im_alloc(padded, sizeof *f->norm);
    f->limit = im_alloc(padded, sizeof *f->limit);
    if (!f->keys || !f->norm || !f->limit)
        return im_fail(err, IMSAT_ENOMEM, "no memory for %zu neighbors of each of %zu rows",
                       f->capacity, s->n);
    s->center = im_alloc(s->d, sizeof *s->center);
    s->largest = im_alloc(s->blocks, sizeof *s->largest);
    s->tiles = im_alloc(s->blocks, sizeof *s->tiles);
    if (!s->center || !s->largest || !s->tiles)
        return im_fail_memory(err, "the neighbor search");
    return allocate_scratch(s, threads, err);
}

static void search_clear(search *s)
{
    im_candidates_clear(&s->found);
    im_free(s->center);
    im_free(s->largest);
    im_free(s->tiles);
    im_free(s->scratch);
    im_free(s->scratch_block);
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
    capacity = smaller(capacity, n - 1);
    if (!im_size_mul(&keys, n, capacity) || !im_size_mul(&bytes, keys, sizeof(uint64_t)))
        return im_fail(err, IMSAT_ENOMEM,
                       "%zu neighbors of each of %zu rows are more than any memory holds; "
                       "take a smaller t",
                       capacity, n);
    return IMSAT_OK;
}

imsat_status im_candidates_find(im_candidates *out, const imsat_data *data,
                                const im_preprocess *pre, size_t capacity, im_pool *pool,
                                im_radius_progress_fn progress, void *user, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    search s = {.data = data, .pre = pre, .n = data->rows, .d = data->dim};
    size_t done = 0;
    s.kernel = im_gemm_select(false);
    s.block = block_size(s.n, s.d);
    s.blocks = (s.n + s.block - 1) / s.block;
    s.found.n = s.n;
    s.found.dim = s.d;
    s.found.capacity = smaller(capacity, s.n - 1);
    IM_TRY(allocate(&s, (size_t)im_pool_threads(pool), err));
    prepare(&s, pool);
    for (size_t round = 0; round < s.blocks + s.blocks % 2; round++)
        IM_TRY(run_round(&s, draw_round(&s, round), &done, pool, progress, user, err));
    *out = s.found;
    s.found = (im_candidates){0};

cleanup:
    search_clear(&s);
    return st;
}

bool im_candidates_complete(const im_candidates *c, size_t row, double distance)
{
    if (c->capacity == c->n - 1)
        return true;
    const double q = c->factor * distance;
    const double s = 2 * sqrt(c->norm[row]) + q;
    const double k = ((double)c->dim + 16) * UNIT;
    const double error = k / (1 - k) * s * s / 2 + (double)c->dim * 0x1p-140;
    return k < 0.5 && q * q <= c->limit[row] - error;
}

void im_candidates_clear(im_candidates *candidates)
{
    im_free(candidates->keys);
    im_free(candidates->norm);
    im_free(candidates->limit);
    *candidates = (im_candidates){0};
}
