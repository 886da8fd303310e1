/* SPDX-License-Identifier: MIT
 * Rows drawn from data, dense and sparse. */
#include "report/shown.h"

#include "failing_alloc.h"
#include "support.h"

#include <string.h>

enum { N = 57, D = 4, FEW = 11 };

static float x[N * D];
static int64_t start[N + 1];
static int32_t column[N];

/* Row i has i + 1 in column i % D, and else 0. */
static imsat_data *open_rows(bool sparse)
{
    imsat_data *data = NULL;
    static float value[N];
    for (size_t i = 0; i < N; i++) {
        memset(x + i * D, 0, D * sizeof *x);
        value[i] = x[i * D + i % D] = (float)(i + 1);
        column[i] = (int32_t)(i % D);
        start[i + 1] = (int64_t)(i + 1);
    }
    assert_ok(sparse ? imsat_data_csr(&data, start, column, value, N, D, NULL)
                     : imsat_data_view(&data, x, N, D, D, NULL),
              NULL);
    return data;
}

static void rows_are_those_that_were_drawn(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        imsat_data *data = open_rows(sparse);
        im_shown s = {0};
        assert_ok(im_shown_draw(&s, data, FEW, 3, NULL), NULL);
        assert_int_equal(s.count, FEW);
        assert_int_equal(im_data_is_sparse(s.data), sparse);
        for (size_t i = 0; i < FEW; i++) {
            float row[D];
            assert_true(i == 0 || s.rows[i] > s.rows[i - 1]);
            im_data_row(row, s.data, i);
            assert_memory_equal(row, x + s.rows[i] * D, sizeof row);
        }
        im_shown_clear(&s);
        imsat_data_free(data);
    }
}

static void all_of_few(void **state)
{
    (void)state;
    imsat_data *data = open_rows(false);
    im_shown s = {0};
    assert_ok(im_shown_draw(&s, data, 1000, 3, NULL), NULL);
    assert_int_equal(s.count, N);
    assert_int_equal(s.rows[N - 1], N - 1);
    im_shown_clear(&s);
    imsat_data_free(data);
}

static void seeds_draw_others(void **state)
{
    (void)state;
    imsat_data *data = open_rows(false);
    im_shown a = {0}, b = {0};
    assert_ok(im_shown_draw(&a, data, FEW, 3, NULL), NULL);
    assert_ok(im_shown_draw(&b, data, FEW, 4, NULL), NULL);
    assert_memory_not_equal(a.rows, b.rows, FEW * sizeof *a.rows);
    im_shown_clear(&a);
    im_shown_clear(&b);
    imsat_data_free(data);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    im_shown s = {0};
    const imsat_status st = im_shown_draw(&s, context, FEW, 1, err);
    im_shown_clear(&s);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        imsat_data *data = open_rows(sparse);
        assert_true(fail_each(try_once, data) >= 3);
        imsat_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_that_were_drawn),
        cmocka_unit_test(all_of_few),
        cmocka_unit_test(seeds_draw_others),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
