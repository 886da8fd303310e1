/* SPDX-License-Identifier: MIT
 * Cells of rows: a partition, by the nearest center. tsan: all. */
#include "neighbors/cells.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "support.h"

enum { N = 1511, D = 9, CELLS = 35 };

static void make(mixture *m, im_cells *cells, int threads)
{
    mixture_make(m, N, D, 4);
    mixture_fit(m, threads);
    assert_int_equal(im_cells_new(cells, &m->frame, CELLS, m->pool, NULL, NULL), IMSAT_OK);
}

static void unmake(mixture *m, im_cells *cells)
{
    im_cells_clear(cells);
    mixture_clear(m);
}

/* Each row once, ascending within a cell; no cell too large. */
static void check_partition(const mixture *m, const im_cells *cells)
{
    static unsigned char seen[N];
    const size_t n = m->n, most = IM_CELLS_LARGEST * ((n + CELLS - 1) / CELLS);
    memset(seen, 0, sizeof seen);
    assert_int_equal(cells->start[0], 0);
    assert_int_equal(cells->start[cells->count], n);
    for (size_t c = 0; c < cells->count; c++) {
        assert_true(cells->start[c] <= cells->start[c + 1]);
        assert_true(cells->start[c + 1] - cells->start[c] <= most);
        for (size_t i = cells->start[c]; i < cells->start[c + 1]; i++) {
            assert_true(i == cells->start[c] || m->frame.order[i - 1] < m->frame.order[i]);
            seen[m->frame.order[i]]++;
        }
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(seen[i], 1);
}

static void rows_are_in_the_cell_of_the_nearest_center(void **state)
{
    (void)state;
    mixture m;
    im_cells cells;
    static uint16_t nearest[N];
    make(&m, &cells, 2);
    assert_int_equal(cells.count, CELLS);
    check_partition(&m, &cells);
    assert_int_equal(
        im_cells_nearest(nearest, 1, NULL, &cells, &m.frame, NULL, N, m.pool, NULL, NULL),
        IMSAT_OK);
    for (size_t c = 0; c < CELLS; c++)
        for (size_t i = cells.start[c]; i < cells.start[c + 1]; i++)
            assert_int_equal(nearest[i], c);
    unmake(&m, &cells);
}

/* Components of the mixture lie far apart, and no cell holds rows of two. */
static void cells_hold_together_what_is_near(void **state)
{
    (void)state;
    mixture m;
    im_cells cells;
    make(&m, &cells, 2);
    for (size_t c = 0; c < cells.count; c++)
        for (size_t i = cells.start[c] + 1; i < cells.start[c + 1]; i++)
            assert_int_equal(m.frame.order[i] % 4, m.frame.order[i - 1] % 4);
    unmake(&m, &cells);
}

/* All cells in two calls: no cell twice, and the same as in one call. */
static void a_call_goes_on_where_the_last_ended(void **state)
{
    (void)state;
    enum { ROWS = 101, FIRST = 6, REST = CELLS - FIRST };
    mixture m;
    im_cells cells;
    uint32_t places[ROWS];
    uint64_t after[ROWS] = {0};
    uint16_t first[ROWS][FIRST], rest[ROWS][REST], all[ROWS][CELLS];
    make(&m, &cells, 3);
    for (size_t i = 0; i < ROWS; i++)
        places[i] = (uint32_t)(7 * i);
    assert_int_equal(im_cells_nearest(first[0], FIRST, after, &cells, &m.frame, places, ROWS,
                                      m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_int_equal(im_cells_nearest(rest[0], REST, after, &cells, &m.frame, places, ROWS,
                                      m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_int_equal(im_cells_nearest(all[0], CELLS, NULL, &cells, &m.frame, places, ROWS,
                                      m.pool, NULL, NULL),
                     IMSAT_OK);
    for (size_t i = 0; i < ROWS; i++) {
        unsigned char seen[CELLS] = {0};
        assert_memory_equal(first[i], all[i], sizeof first[i]);
        assert_memory_equal(rest[i], all[i] + FIRST, sizeof rest[i]);
        for (size_t k = 0; k < CELLS; k++)
            seen[all[i][k]]++;
        for (size_t c = 0; c < CELLS; c++)
            assert_int_equal(seen[c], 1);
    }
    unmake(&m, &cells);
}

static void equal_rows_are_cut_into_pieces(void **state)
{
    (void)state;
    mixture m;
    im_cells cells;
    mixture_make(&m, N, D, 1);
    for (size_t i = 0; i < N * D; i++)
        m.x[i] = 7;
    mixture_fit(&m, 2);
    assert_int_equal(im_cells_new(&cells, &m.frame, CELLS, m.pool, NULL, NULL), IMSAT_OK);
    assert_true(cells.count > CELLS && cells.count <= CELLS + CELLS / IM_CELLS_LARGEST);
    check_partition(&m, &cells);
    unmake(&m, &cells);
}

static void one_cell_and_as_many_as_rows(void **state)
{
    (void)state;
    const size_t wanted[] = {1, 29};
    for (size_t k = 0; k < 2; k++) {
        mixture m;
        im_cells cells;
        mixture_make(&m, 29, D, 2);
        mixture_fit(&m, 2);
        assert_int_equal(im_cells_new(&cells, &m.frame, wanted[k], m.pool, NULL, NULL),
                         IMSAT_OK);
        assert_int_equal(cells.count, wanted[k]);
        assert_int_equal(cells.start[cells.count], 29);
        unmake(&m, &cells);
    }
}

static void threads_do_not_change_the_cells(void **state)
{
    (void)state;
    mixture a, b;
    im_cells one, three;
    make(&a, &one, 1);
    make(&b, &three, 3);
    assert_memory_equal(a.frame.order, b.frame.order, N * sizeof *a.frame.order);
    assert_memory_equal(one.start, three.start, (CELLS + 1) * sizeof *one.start);
    assert_memory_equal(one.sq_norm, three.sq_norm, CELLS * sizeof *one.sq_norm);
    unmake(&a, &one);
    unmake(&b, &three);
}

static int stop(void *user, double fraction)
{
    return fraction >= *(const double *)user;
}

static void progress_can_stop(void **state)
{
    (void)state;
    double at[] = {0, 0.5};
    for (size_t k = 0; k < 2; k++) {
        mixture m;
        im_cells cells = {0};
        const im_stage stage = {"computing the radius", stop, &at[k], 0, 1};
        mixture_make(&m, N, D, 1);
        mixture_fit(&m, 1);
        assert_int_equal(im_cells_new(&cells, &m.frame, CELLS, m.pool, &stage, NULL),
                         IMSAT_ESTOPPED);
        assert_null(m.frame.order);
        assert_null(cells.start);
        mixture_clear(&m);
    }
}

static imsat_status attempt(void *context, imsat_error *err)
{
    mixture *m = context;
    im_cells cells = {0};
    const imsat_status st = im_cells_new(&cells, &m->frame, 3, m->pool, NULL, err);
    assert_true((st == IMSAT_OK) == (m->frame.order != NULL));
    im_free(m->frame.order);
    m->frame.order = NULL;
    im_cells_clear(&cells);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, 41, D, 1);
    mixture_fit(&m, 2);
    assert_true(fail_each(attempt, &m) >= 20);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_the_cell_of_the_nearest_center),
        cmocka_unit_test(cells_hold_together_what_is_near),
        cmocka_unit_test(a_call_goes_on_where_the_last_ended),
        cmocka_unit_test(equal_rows_are_cut_into_pieces),
        cmocka_unit_test(one_cell_and_as_many_as_rows),
        cmocka_unit_test(threads_do_not_change_the_cells),
        cmocka_unit_test(progress_can_stop),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
