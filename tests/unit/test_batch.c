/* SPDX-License-Identifier: MIT
 * How mini-batches are drawn: by epoch, afresh, and in order. */
#include "support.h"

#include "train/batch.h"

enum { ROWS = 203, BATCH = 40 };

typedef struct fixture {
    im_batch batch;
    size_t rows[BATCH];
} fixture;

static void open_fixture(fixture *f, bool fresh)
{
    *f = (fixture){.batch = {.total = ROWS, .most = BATCH, .fresh = fresh}};
    f->batch.rows = f->rows;
    assert_int_equal(im_pool_new(&f->batch.pool, 2, NULL), IMSAT_OK);
}

/* An epoch visits every row exactly once, in batches whose sizes differ by at most one; fresh
 * batches have no row twice and all have the full size. */
static void check_batches(bool fresh)
{
    fixture f;
    size_t seen[ROWS] = {0}, first[2] = {0, 0};
    open_fixture(&f, fresh);
    const size_t steps = im_batch_steps(&f.batch);
    assert_int_equal(steps, fresh ? 5 : 6);
    for (size_t step = 0; step < steps; step++) {
        size_t now[ROWS] = {0};
        im_batch_draw(&f.batch, 9, 2, step);
        assert_in_range(f.batch.n, fresh ? 40 : 33, fresh ? 40 : 34);
        for (size_t i = 0; i < f.batch.n; i++) {
            assert_true(f.rows[i] < ROWS);
            assert_int_equal(now[f.rows[i]]++, 0);
            seen[f.rows[i]]++;
        }
    }
    for (size_t i = 0; !fresh && i < ROWS; i++)
        assert_int_equal(seen[i], 1);
    for (size_t epoch = 0; epoch < 2; epoch++) {
        im_batch_draw(&f.batch, 9, epoch, 0);
        for (size_t i = 0; i < 4; i++)
            first[epoch] = first[epoch] * 1000 + f.rows[i];
    }
    assert_int_not_equal(first[0], first[1]);
    im_pool_free(f.batch.pool);
}

static void test_by_epoch(void **state)
{
    (void)state;
    check_batches(false);
}

static void test_afresh(void **state)
{
    (void)state;
    check_batches(true);
}

static void test_in_order(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, false);
    size_t next = 0;
    for (size_t first = 0; first < ROWS; first += f.batch.n) {
        im_batch_take(&f.batch, first);
        for (size_t i = 0; i < f.batch.n; i++)
            assert_int_equal(f.rows[i], next++);
    }
    assert_int_equal(next, ROWS);
    im_pool_free(f.batch.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_epoch),
        cmocka_unit_test(test_afresh),
        cmocka_unit_test(test_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
