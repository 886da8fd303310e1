/* SPDX-License-Identifier: MIT
 * Products of rows and which of them a scan marks. */
#include "linear/tile.h"

#include "core/alloc.h"
#include "mixture.h"
#include "support.h"

#include <math.h>

enum { N = 211, D = 13 };

typedef struct fixture {
    mixture m;
    im_tile_set tiles;
    float sq_norm[N + IM_TILE_CHUNK];
} fixture;

static void make(fixture *f)
{
    mixture_make(&f->m, N, D, 2);
    mixture_fit(&f->m, 1);
    assert_int_equal(
        im_tile_set_new(&f->tiles, 1, im_tile_room(N, D, 1) + IM_TILE_ROWS, D, NULL),
        IMSAT_OK);
    assert_int_equal(im_frame_sq_norms(f->sq_norm, &f->m.frame, f->m.pool, NULL, NULL),
                     IMSAT_OK);
    im_tile_columns(f->tiles.per_thread, &f->m.frame, 0, N);
}

static void unmake(fixture *f)
{
    im_tile_set_clear(&f->tiles);
    mixture_clear(&f->m);
}

/* Product of the rows at the places with all rows. */
static void multiply(fixture *f, const uint32_t *places, size_t count)
{
    im_tile *w = f->tiles.per_thread;
    im_tile_load(w, &f->m.frame, places, 0, count);
    im_tile_multiply(w, count, w->packed, 0, N);
}

static void distances_are_those_of_the_rows(void **state)
{
    (void)state;
    static fixture f;
    make(&f);
    const uint32_t places[3] = {7, 150, 20};
    multiply(&f, places, 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < N; j++) {
            const im_real product = f.tiles.per_thread->product[i * IM_TILE_COLS + j];
            const float sq = im_tile_sq_distance(f.sq_norm[places[i]], f.sq_norm[j], product);
            const double r = f.m.frame.factor * mixture_distance(&f.m, places[i], j);
            assert_near(sq, r * r, 1e-5);
        }
    unmake(&f);
}

static void marks_look_at_both_ends(void **state)
{
    (void)state;
    static fixture f;
    static float limit[N + IM_TILE_CHUNK];
    make(&f);
    const uint32_t place = 5;
    const size_t chunks = 3;
    multiply(&f, &place, 1);
    for (size_t j = 0; j < N; j++)
        limit[j] = -1;
    limit[70] = 100; /* of chunk 2 */
    im_tile_mark(f.tiles.per_thread, 0, f.sq_norm[place], -1, f.sq_norm, limit, chunks);
    assert_int_equal(f.tiles.per_thread->mark[0], 0);
    assert_int_equal(f.tiles.per_thread->mark[1], 0);
    assert_int_equal(f.tiles.per_thread->mark[2], 1);
    im_tile_mark(f.tiles.per_thread, 0, f.sq_norm[place], 1e-5F, f.sq_norm,
                 f.tiles.per_thread->closed, chunks);
    assert_int_equal(f.tiles.per_thread->mark[0], 1); /* itself */
    assert_int_equal(f.tiles.per_thread->mark[1], 0);
    unmake(&f);
}

static void room_is_whole_strips(void **state)
{
    (void)state;
    assert_int_equal(im_tile_room(0, 9, 2), IM_TILE_ROWS);
    assert_int_equal(im_tile_room(5 * IM_TILE_ROWS + 3, 9, 2), 5 * IM_TILE_ROWS);
    assert_int_equal(im_tile_room(5 * IM_TILE_ROWS, (size_t)1 << 30, 2), IM_TILE_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_rows),
        cmocka_unit_test(marks_look_at_both_ends),
        cmocka_unit_test(room_is_whole_strips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
