/* SPDX-License-Identifier: MIT
 *
 * See condense.h. Every row remembers the best score so far and the chosen row that has it, so
 * a round compares all rows with the new ones only: n products for each row that is chosen, in
 * all. */
#include "linear/condense.h"

#include "core/alloc.h"
#include "linear/tile.h"

#include <math.h>

enum { COLUMNS = IM_TILE_COLS }; /* chosen rows that are compared at a time */

static const uint32_t NONE = UINT32_MAX;

typedef struct search {
    const im_frame *frame;
    const int32_t *labels;
    size_t k, count;       /* rows that are chosen, in the order in which they were */
    uint32_t *chosen;      /* (n) */
    unsigned char *taken;  /* (n) by row */
    float *best;           /* (n) score of the nearest chosen row, */
    uint32_t *nearest;     /* (n) and which it is, of `chosen` */
    float *sq_norm;        /* (n) */
    uint32_t *enemy;       /* (n) by chosen row: the nearest row of another label, or NONE */
    size_t first, columns; /* the chosen rows that are compared now */
    im_real *packed;       /* (d,COLUMNS) */
    float half[COLUMNS];   /* their |s|^2 / 2 */
    im_real *products;     /* (threads,IM_TILE_ROWS,COLUMNS) */
    im_tile_set tiles;
    void *memory;
} search;

static size_t lay_out(search *s, void *base, size_t threads)
{
    const size_t n = s->frame->n, d = s->frame->d;
    im_carver c = {base, 0};
    s->chosen = im_carve(&c, n, sizeof *s->chosen);
    s->taken = im_carve(&c, n, sizeof *s->taken);
    s->best = im_carve(&c, n, sizeof *s->best);
    s->nearest = im_carve(&c, n, sizeof *s->nearest);
    s->sq_norm = im_carve(&c, n, sizeof *s->sq_norm);
    s->enemy = im_carve(&c, n, sizeof *s->enemy);
    s->packed = im_carve(&c, im_gemm_packed(d, COLUMNS), sizeof *s->packed);
    s->products = im_carve(&c, threads * IM_TILE_ROWS * COLUMNS, sizeof *s->products);
    return c.used;
}

static void choose(search *s, uint32_t row)
{
    s->taken[row] = 1;
    s->chosen[s->count++] = row;
}

/* ---- the first rows --------------------------------------------------------------------- */

/* Of each cluster the row nearest to its mean. mean (k,d), size (k), near (k). */
static void choose_middles(search *s, double *mean, double *near, const im_tile *scratch)
{
    const size_t n = s->frame->n, d = s->frame->d;
    im_real *row = scratch->rows;
    for (size_t i = 0; i < n; i++) {
        im_frame_scaled(row, s->frame, i, scratch->raw, scratch->prepare);
        near[s->labels[i]]++;
        for (size_t j = 0; j < d; j++)
            mean[(size_t)s->labels[i] * d + j] += row[j];
    }
    for (size_t i = 0; i < s->k * d; i++)
        mean[i] /= near[i / d];
    for (size_t c = 0; c < s->k; c++) {
        near[c] = (double)INFINITY;
        s->enemy[c] = NONE;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)s->labels[i];
        double sq = 0;
        im_frame_scaled(row, s->frame, i, scratch->raw, scratch->prepare);
        for (size_t j = 0; j < d; j++)
            sq += (row[j] - mean[c * d + j]) * (row[j] - mean[c * d + j]);
        if (sq < near[c]) {
            near[c] = sq;
            s->enemy[c] = (uint32_t)i;
        }
    }
    for (size_t c = 0; c < s->k; c++)
        if (s->enemy[c] != NONE)
            choose(s, s->enemy[c]);
}

static imsat_status begin(search *s, imsat_error *err)
{
    double *mean = im_alloc(s->k * s->frame->d, sizeof *mean);
    double *near = im_alloc(s->k, sizeof *near);
    const bool have = mean && near;
    for (size_t i = 0; have && i < s->frame->n; i++)
        s->best[i] = -INFINITY;
    if (have)
        choose_middles(s, mean, near, &s->tiles.per_thread[0]);
    im_free(mean);
    im_free(near);
    return have ? IMSAT_OK : im_fail_memory(err, "the rows that stand for all");
}

/* ---- comparing -----------------------------------------------------------------------------
 */

static void compare_task(void *context, size_t task, int thread)
{
    search *s = context;
    im_tile *tile = &s->tiles.per_thread[thread];
    const size_t first = task * IM_TILE_ROWS;
    const size_t count = im_size_min(IM_TILE_ROWS, s->frame->n - first);
    im_real *product = s->products + (size_t)thread * IM_TILE_ROWS * COLUMNS;
    im_tile_load(tile, s->frame, NULL, first, count);
    im_tile_product(tile, product, COLUMNS, count, s->packed, s->columns);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < s->columns; c++) {
            const float score = (float)product[i * COLUMNS + c] - s->half[c];
            if (score > s->best[first + i]) {
                s->best[first + i] = score;
                s->nearest[first + i] = (uint32_t)(s->first + c);
            }
        }
}

/* The chosen rows first .. first + columns - 1 as the right factor. */
static void pack(search *s)
{
    const size_t d = s->frame->d;
    const im_tile *scratch = &s->tiles.per_thread[0];
    for (size_t c = 0; c < s->columns; c += IM_GEMM_NR) {
        const size_t count = im_size_min(IM_GEMM_NR, s->columns - c);
        for (size_t i = 0; i < count; i++) {
            const uint32_t row = s->chosen[s->first + c + i];
            im_frame_scaled(scratch->rows + i * d, s->frame, row, scratch->raw,
                            scratch->prepare);
            s->half[c + i] = s->sq_norm[row] / 2;
        }
        im_gemm_pack(s->packed + im_gemm_packed(d, c), scratch->rows, d, IM_TRANS, d, count, 0,
                     1);
    }
}

/* All rows with the chosen ones from `from` on. */
static imsat_status compare(search *s, size_t from, im_pool *pool, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (s->first = from; s->first < s->count; s->first += COLUMNS) {
        s->columns = im_size_min(COLUMNS, s->count - s->first);
        pack(s);
        IM_TRY(im_stage_run(stage, pool, compare_task, s,
                            (s->frame->n + IM_TILE_ROWS - 1) / IM_TILE_ROWS, SIZE_MAX, err));
    }

cleanup:
    return st;
}

/* ---- choosing ------------------------------------------------------------------------------
 */

static float sq_distance(const search *s, size_t row)
{
    return s->sq_norm[row] - 2 * s->best[row];
}

/* Each chosen row adds the nearest that is nearest to it and of another label. */
static void choose_enemies(search *s)
{
    const size_t count = s->count;
    for (size_t c = 0; c < count; c++)
        s->enemy[c] = NONE;
    for (size_t i = 0; i < s->frame->n; i++) {
        const uint32_t owner = s->nearest[i];
        if (s->taken[i] || s->labels[s->chosen[owner]] == s->labels[i])
            continue;
        if (s->enemy[owner] == NONE || sq_distance(s, i) < sq_distance(s, s->enemy[owner]))
            s->enemy[owner] = (uint32_t)i;
    }
    for (size_t c = 0; c < count; c++)
        if (s->enemy[c] != NONE)
            choose(s, s->enemy[c]);
}

/* The chosen rows by their labels. */
static imsat_status hand_over(im_condense *out, const search *s, imsat_error *err)
{
    size_t at = 0;
    uint32_t *rows = im_alloc(s->count, sizeof *rows);
    if (!rows)
        return im_fail_memory(err, "the rows that stand for all");
    for (size_t c = 0; c < s->k; c++)
        for (size_t i = 0; i < s->frame->n; i++)
            if (s->taken[i] && (size_t)s->labels[i] == c)
                rows[at++] = (uint32_t)i;
    *out = (im_condense){at, rows};
    return IMSAT_OK;
}

imsat_status im_condense_find(im_condense *out, const im_frame *frame, const int32_t *labels,
                              size_t k, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 0);
    const size_t threads = (size_t)im_pool_threads(pool);
    search s = {.frame = frame, .labels = labels, .k = k};
    s.memory = im_alloc(lay_out(&s, NULL, threads), 1);
    if (!s.memory)
        return im_fail_memory(err, "the rows that stand for all");
    lay_out(&s, s.memory, threads);
    IM_TRY(im_tile_set_new(&s.tiles, threads, 0, frame->d, err));
    IM_TRY(im_frame_sq_norms(s.sq_norm, frame, pool, &whole, err));
    IM_TRY(begin(&s, err));
    for (size_t from = 0; from < s.count;) {
        const size_t before = s.count;
        IM_TRY(compare(&s, from, pool, &whole, err));
        choose_enemies(&s);
        from = before;
    }
    IM_TRY(hand_over(out, &s, err));

cleanup:
    im_tile_set_clear(&s.tiles);
    im_free(s.memory);
    return st;
}

void im_condense_clear(im_condense *found)
{
    im_free(found->rows);
    *found = (im_condense){0};
}
