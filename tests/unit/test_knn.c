/* SPDX-License-Identifier: MIT
 * The loop of the nearest columns: every row's heap against a sort of all pairs, on rows of
 * small integers, whose distances are exact in float and often equal. And the nearest of some
 * rows of a frame, against a plain loop. */
#include "linear/knn.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "linear/keep.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 3301, D = 9, ROWS = 250, CAPACITY = 7 };

/* ---- the loop --------------------------------------------------------------- */

enum { GRID = 523, WIDTH = 5, MOST = 40 };

/* Rows of small integers: a frame that is its own copy. */
typedef struct grid {
    im_real x[GRID * WIDTH];
    im_frame frame;
    float sq_norm[GRID + IM_TILE_CHUNK];
    im_tile_set tiles;
    uint64_t heaps[GRID * MOST];
} grid;

static void grid_make(grid *g, size_t room)
{
    *g = (grid){.frame = {.n = GRID, .d = WIDTH, .factor = 1}};
    g->frame.kept = g->x;
    for (size_t i = 0; i < GRID * WIDTH; i++)
        g->x[i] = (im_real)((i * i / 7 + 3 * i) % 5) - 2;
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < WIDTH; j++)
            g->sq_norm[i] += (float)(g->x[i * WIDTH + j] * g->x[i * WIDTH + j]);
    assert_int_equal(im_tile_set_new(&g->tiles, 1, room, WIDTH, NULL), IMSAT_OK);
    im_keep_reset(g->heaps, GRID * MOST, im_keep_pair(INFINITY, UINT32_MAX));
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The pair of a row and a column by the definition, without |x|^2 if the rows have no norms.
 */
static uint64_t pair_of(const grid *g, const im_knn_rows *rows, size_t place, size_t column)
{
    double sq = 0;
    for (size_t j = 0; j < WIDTH; j++)
        sq += pow(g->x[place * WIDTH + j] - g->x[column * WIDTH + j], 2);
    return im_keep_pair((float)(rows->sq_norm ? sq : sq - g->sq_norm[place]),
                        (uint32_t)column);
}

/* The heap of the row with this number holds the first pairs of all that it wants. */
static void check_row(const grid *g, const im_knn_rows *rows, size_t number,
                      const im_knn_columns *columns)
{
    static uint64_t all[GRID + MOST];
    uint64_t kept[MOST];
    const size_t place = rows->places ? rows->places[number] : number;
    size_t count = 0;
    for (size_t c = columns->first; c < columns->first + columns->count; c++) {
        const uint64_t pair = pair_of(g, rows, place, c);
        if (!(rows->among && c == place) && pair > (rows->after ? rows->after[number] : 0))
            all[count++] = pair;
    }
    im_keep_reset(all + count, rows->capacity, im_keep_pair(INFINITY, UINT32_MAX));
    qsort(all, count, sizeof *all, ascending);
    memcpy(kept, g->heaps + number * rows->capacity, rows->capacity * sizeof *kept);
    qsort(kept, rows->capacity, sizeof *kept, ascending);
    assert_memory_equal(kept, all, rows->capacity * sizeof *kept);
}

static im_knn_rows grid_rows(grid *g, size_t count, size_t capacity)
{
    return (im_knn_rows){.frame = &g->frame,
                         .count = count,
                         .sq_norm = g->sq_norm,
                         .among = true,
                         .capacity = capacity,
                         .heaps = g->heaps};
}

/* More columns than there is room for, in one call or in two. */
static void all_rows_among_themselves(void **state)
{
    (void)state;
    static grid g;
    for (size_t cut = 0; cut <= 211; cut += 211) {
        grid_make(&g, IM_TILE_ROWS);
        const im_knn_rows rows = grid_rows(&g, GRID, 7);
        const im_knn_columns all = {
            .frame = &g.frame, .sq_norm = g.sq_norm, .first = 0, .count = GRID};
        im_knn_columns part = all;
        part.count = cut;
        im_knn_offer(g.tiles.per_thread, &rows, &part);
        part.first = cut;
        part.count = GRID - cut;
        im_knn_offer(g.tiles.per_thread, &rows, &part);
        for (size_t i = 0; i < GRID; i++)
            check_row(&g, &rows, i, &all);
        im_tile_set_clear(&g.tiles);
    }
}

/* Rows by number, at places of their own, among some columns; then those after them. */
static void numbers_places_and_what_comes_after(void **state)
{
    (void)state;
    static grid g;
    static uint32_t numbers[150], places[GRID];
    static uint64_t after[GRID];
    grid_make(&g, 2 * IM_TILE_ROWS);
    for (size_t i = 0; i < GRID; i++)
        places[i] = (uint32_t)((i * 11 + 5) % GRID);
    for (size_t i = 0; i < 150; i++)
        numbers[i] = (uint32_t)((i * 3 + 40) % GRID);
    im_knn_rows rows = grid_rows(&g, 150, 9);
    rows.numbers = numbers;
    rows.places = places;
    const im_knn_columns columns = {
        .frame = &g.frame, .sq_norm = g.sq_norm, .first = 37, .count = 301};
    im_knn_offer(g.tiles.per_thread, &rows, &columns);
    for (size_t i = 0; i < 150; i++) {
        check_row(&g, &rows, numbers[i], &columns);
        after[numbers[i]] = g.heaps[numbers[i] * 9];
    }
    assert_int_equal(g.heaps[0], im_keep_pair(INFINITY, UINT32_MAX)); /* no number 0 */
    im_keep_reset(g.heaps, GRID * MOST, im_keep_pair(INFINITY, UINT32_MAX));
    rows.after = after;
    im_knn_offer(g.tiles.per_thread, &rows, &columns);
    for (size_t i = 0; i < 150; i++)
        check_row(&g, &rows, numbers[i], &columns);
    im_tile_set_clear(&g.tiles);
}

/* Columns that were packed elsewhere, fewer than a heap holds, and rows without norms: a row
 * takes the column that is equal to it, too. */
static void packed_columns(void **state)
{
    (void)state;
    static grid g;
    enum { COLUMNS = 33 };
    im_real *packed = im_alloc(im_gemm_packed(WIDTH, COLUMNS), sizeof *packed);
    assert_non_null(packed);
    grid_make(&g, 0);
    im_gemm_pack(packed, g.x, WIDTH, IM_TRANS, WIDTH, COLUMNS, 0, im_gemm_panels(COLUMNS));
    im_knn_rows rows = grid_rows(&g, GRID, MOST);
    rows.sq_norm = NULL;
    rows.among = false;
    const im_knn_columns columns = {.packed = packed, .sq_norm = g.sq_norm, .count = COLUMNS};
    im_knn_offer(g.tiles.per_thread, &rows, &columns);
    for (size_t i = 0; i < GRID; i++)
        check_row(&g, &rows, i, &columns);
    im_tile_set_clear(&g.tiles);
    im_free(packed);
}

/* ---- some rows of a frame --------------------------------------------------- */

typedef struct fixture {
    mixture m;
    float sq_norm[N + IM_TILE_CHUNK];
    uint32_t place[ROWS];
    float within[ROWS];
} fixture;

static void make(fixture *f)
{
    memset(f->sq_norm, 0, sizeof f->sq_norm);
    mixture_make(&f->m, N, D, 4);
    mixture_fit(&f->m, 2);
    assert_int_equal(im_frame_sq_norms(f->sq_norm, &f->m.frame, f->m.pool, NULL, NULL),
                     IMSAT_OK);
    for (size_t i = 0; i < ROWS; i++)
        f->place[i] = (uint32_t)(i * 13 % N);
}

static bool holds(const im_knn *s, size_t i, size_t place)
{
    for (size_t k = 0; k < s->capacity; k++)
        if (im_keep_row(s->keys[i * s->capacity + k]) == place)
            return true;
    return false;
}

/* All that is left out is at the limit or beyond, up to rounding; what is in is within. */
static void check(const fixture *f, const im_knn *s, bool bounded)
{
    const double factor = f->m.frame.factor;
    for (size_t i = 0; i < ROWS; i++) {
        const double limit = im_knn_sq_limit(s, i);
        size_t kept = 0;
        for (size_t j = 0; j < N; j++) {
            const double sq = pow(factor * mixture_distance(&f->m, f->place[i], j), 2);
            const bool in = holds(s, i, j);
            kept += in;
            assert_false(in && j == f->place[i]);
            assert_true(j == f->place[i] || (in ? sq <= limit + 1e-4 : sq >= limit - 1e-4));
        }
        assert_true(bounded ? limit <= f->within[i] : kept == CAPACITY);
    }
}

static void the_nearest_are_found(void **state)
{
    (void)state;
    static fixture f;
    im_knn s;
    make(&f);
    assert_int_equal(im_knn_find(&s, &f.m.frame, f.sq_norm, f.place, NULL, ROWS, CAPACITY,
                                 f.m.pool, NULL, NULL),
                     IMSAT_OK);
    check(&f, &s, false);
    for (size_t i = 0; i < ROWS; i++) /* some have too many within, some too few */
        f.within[i] = im_knn_sq_limit(&s, i) * (i % 2 ? 0.5F : 2);
    im_knn_clear(&s);
    assert_int_equal(im_knn_find(&s, &f.m.frame, f.sq_norm, f.place, f.within, ROWS, CAPACITY,
                                 f.m.pool, NULL, NULL),
                     IMSAT_OK);
    check(&f, &s, true);
    im_knn_clear(&s);
    mixture_clear(&f.m);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    static fixture f;
    imsat_error err;
    im_knn s = {0};
    make(&f);
    assert_stopped(im_knn_find(&s, &f.m.frame, f.sq_norm, f.place, NULL, ROWS, CAPACITY,
                               f.m.pool, &stopping, &err));
    assert_null(s.keys);
    mixture_clear(&f.m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const fixture *f = context;
    im_knn s = {0};
    const imsat_status st = im_knn_find(&s, &f->m.frame, f->sq_norm, f->place, NULL, ROWS,
                                        CAPACITY, f->m.pool, NULL, err);
    im_knn_clear(&s);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static fixture f;
    make(&f);
    assert_true(fail_each(try_once, &f) >= 3);
    mixture_clear(&f.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_among_themselves),
        cmocka_unit_test(numbers_places_and_what_comes_after),
        cmocka_unit_test(packed_columns),
        cmocka_unit_test(the_nearest_are_found),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
