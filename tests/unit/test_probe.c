/* SPDX-License-Identifier: MIT
 * Candidates from the nearest cells. tsan: all. */
#include "neighbors/probe.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "linear/keep.h"
#include "mixture.h"
#include "support.h"

#include <math.h>

enum { N = 907, D = 8, CELLS = 27, KEPT = 5 };

typedef struct fixture {
    mixture m;
    im_cells cells;
    float sq_norm[N + IM_TILE_CHUNK];
} fixture;

static void make(fixture *f, int threads)
{
    mixture_make(&f->m, N, D, 3);
    mixture_fit(&f->m, threads);
    assert_int_equal(im_cells_new(&f->cells, &f->m.frame, CELLS, f->m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_int_equal(im_frame_sq_norms(f->sq_norm, &f->m.frame, f->m.pool, NULL, NULL),
                     IMSAT_OK);
}

static void unmake(fixture *f)
{
    im_cells_clear(&f->cells);
    mixture_clear(&f->m);
}

static void probe(im_probe *p, const fixture *f, const uint32_t *places, size_t count)
{
    assert_int_equal(im_probe_new(p, &f->m.frame, &f->cells, f->sq_norm, places, count, KEPT,
                                  f->m.pool, NULL),
                     IMSAT_OK);
}

static size_t cell_of(const fixture *f, size_t place)
{
    size_t c = 0;
    while (place >= f->cells.start[c + 1])
        c++;
    return c;
}

static double distance(const fixture *f, size_t a, size_t b)
{
    return mixture_distance(&f->m, f->m.frame.order[a], f->m.frame.order[b]);
}

/* Whether row i of the probe, at a place, has the nearest of the cells it met: no row of
 * these that is not kept is closer than one that is. */
static void check_row(const fixture *f, const im_probe *p, size_t i, size_t place,
                      const uint16_t *met, size_t rounds)
{
    const uint64_t *keys = p->keys + i * KEPT;
    double furthest = 0;
    size_t closer = 0, kept = 0;
    for (size_t k = 0; k < KEPT; k++) {
        if (im_keep_row(keys[k]) == UINT32_MAX)
            continue;
        assert_true(im_keep_row(keys[k]) != place);
        furthest = fmax(furthest, distance(f, place, im_keep_row(keys[k])));
        kept++;
    }
    for (size_t other = 0; other < N; other++) {
        bool seen = false;
        for (size_t r = 0; r < rounds; r++)
            seen = seen || met[r] == cell_of(f, other);
        closer += seen && other != place && distance(f, place, other) <= furthest * 1.000001;
    }
    assert_int_equal(closer, kept);
}

static void the_nearest_of_the_cells_are_kept(void **state)
{
    (void)state;
    enum { ROUNDS = 3 };
    static fixture f;
    static uint16_t met[N][ROUNDS];
    im_probe p;
    make(&f, 2);
    probe(&p, &f, NULL, N);
    assert_int_equal(im_probe_run(&p, ROUNDS, f.m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_cells_nearest(met[0], ROUNDS, NULL, &f.cells, &f.m.frame, NULL, N,
                                      f.m.pool, NULL, NULL),
                     IMSAT_OK);
    for (size_t i = 0; i < N; i += 3)
        check_row(&f, &p, i, i, met[i], ROUNDS);
    im_probe_clear(&p);
    unmake(&f);
}

/* All cells, for a few rows, in steps: more than are found at a time. */
static void steps_end_where_one_run_does(void **state)
{
    (void)state;
    enum { ROWS = 50 };
    static fixture f;
    uint32_t places[ROWS];
    uint16_t met[CELLS];
    im_probe steps, whole;
    make(&f, 3);
    for (size_t i = 0; i < ROWS; i++)
        places[i] = (uint32_t)(17 * i + 2);
    for (size_t c = 0; c < CELLS; c++)
        met[c] = (uint16_t)c;
    probe(&steps, &f, places, ROWS);
    probe(&whole, &f, NULL, N);
    assert_int_equal(im_probe_run(&steps, 2, f.m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_probe_run(&steps, 21, f.m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_probe_run(&steps, CELLS, f.m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_probe_run(&whole, CELLS, f.m.pool, NULL, NULL), IMSAT_OK);
    for (size_t i = 0; i < ROWS; i++) {
        check_row(&f, &steps, i, places[i], met, CELLS);
        check_row(&f, &whole, places[i], places[i], met, CELLS);
    }
    im_probe_clear(&steps);
    im_probe_clear(&whole);
    unmake(&f);
}

static int rises(void *user, double fraction)
{
    double *last = user;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
    return fraction >= 0.5;
}

static void progress_can_stop(void **state)
{
    (void)state;
    static fixture f;
    im_probe p;
    double last = 0;
    const im_stage stage = {"computing the radius", rises, &last, 0, 1};
    make(&f, 1);
    probe(&p, &f, NULL, N);
    assert_int_equal(im_probe_run(&p, 10, f.m.pool, &stage, NULL), IMSAT_ESTOPPED);
    assert_true(last >= 0.5 && last < 0.7);
    im_probe_clear(&p);
    unmake(&f);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const fixture *f = context;
    im_probe p = {0};
    imsat_status st =
        im_probe_new(&p, &f->m.frame, &f->cells, f->sq_norm, NULL, N, KEPT, f->m.pool, err);
    assert_true((st == IMSAT_OK) == (p.keys != NULL));
    if (st == IMSAT_OK)
        st = im_probe_run(&p, 1, f->m.pool, NULL, err);
    im_probe_clear(&p);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static fixture f;
    make(&f, 2);
    assert_true(fail_each(attempt, &f) >= 10);
    unmake(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_of_the_cells_are_kept),
        cmocka_unit_test(steps_end_where_one_run_does),
        cmocka_unit_test(progress_can_stop),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
