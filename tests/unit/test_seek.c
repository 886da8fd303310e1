/* SPDX-License-Identifier: MIT
 * Candidates of some rows, against a plain loop. */
#include "neighbors/seek.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "linear/keep.h"
#include "linear/tile.h"
#include "mixture.h"
#include "support.h"

#include <math.h>

enum { N = 3301, D = 9, ROWS = 250, CAPACITY = 7 };

typedef struct fixture {
    mixture m;
    float norm[N + IM_TILE_COLS];
    uint32_t place[ROWS];
    float within[ROWS];
} fixture;

static void make(fixture *f)
{
    memset(f->norm, 0, sizeof f->norm);
    mixture_make(&f->m, N, D, 4);
    mixture_fit(&f->m, 2);
    assert_int_equal(im_frame_norms(f->norm, &f->m.frame, f->m.pool, NULL), IMSAT_OK);
    for (size_t i = 0; i < ROWS; i++)
        f->place[i] = (uint32_t)(i * 13 % N);
}

static bool holds(const im_sought *s, size_t i, size_t place)
{
    for (size_t k = 0; k < s->capacity; k++)
        if (im_keep_row(s->keys[i * s->capacity + k]) == place)
            return true;
    return false;
}

/* All that is left out is at the limit or beyond, up to rounding; what is in is within. */
static void check(const fixture *f, const im_sought *s, bool bounded)
{
    const double factor = f->m.frame.factor;
    for (size_t i = 0; i < ROWS; i++) {
        const double limit = im_sought_limit(s, i);
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
    im_sought s;
    make(&f);
    assert_int_equal(
        im_seek(&s, &f.m.frame, f.norm, f.place, NULL, ROWS, CAPACITY, f.m.pool, NULL),
        IMSAT_OK);
    check(&f, &s, false);
    for (size_t i = 0; i < ROWS; i++) /* some have too many within, some too few */
        f.within[i] = im_sought_limit(&s, i) * (i % 2 ? 0.5F : 2);
    im_sought_clear(&s);
    assert_int_equal(
        im_seek(&s, &f.m.frame, f.norm, f.place, f.within, ROWS, CAPACITY, f.m.pool, NULL),
        IMSAT_OK);
    check(&f, &s, true);
    im_sought_clear(&s);
    mixture_clear(&f.m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const fixture *f = context;
    im_sought s = {0};
    const imsat_status st =
        im_seek(&s, &f->m.frame, f->norm, f->place, NULL, ROWS, CAPACITY, f->m.pool, err);
    im_sought_clear(&s);
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
        cmocka_unit_test(the_nearest_are_found),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
