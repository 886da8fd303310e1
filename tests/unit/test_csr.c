/* SPDX-License-Identifier: MIT
 * Sparse rows: what is refused of a caller's arrays, rows with their zeros, and the two ways
 * in which readers make them. */
#include "support.h"

#include "data/csr.h"
#include "failing_alloc.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3, DIM = 6 };

/*     . 2 . . 5 .
 *     . . . . . .
 *     1 . . . . 6    */
static const int64_t starts[ROWS + 1] = {0, 2, 2, 4};
static const int32_t columns[] = {1, 4, 0, 5};
static const float values[] = {2, 5, 1, 6};
static const float dense[ROWS][DIM] = {{0, 2, 0, 0, 5, 0}, {0}, {1, 0, 0, 0, 0, 6}};

static void assert_rows(const im_csr *csr)
{
    float row[DIM];
    double wide[DIM];
    assert_int_equal(csr->rows, ROWS);
    assert_int_equal(csr->dim, DIM);
    assert_int_equal(csr->longest, 2);
    for (size_t i = 0; i < ROWS; i++) {
        im_csr_floats(row, csr, i, 0, DIM);
        assert_memory_equal(row, dense[i], sizeof row);
        im_csr_doubles(wide, csr, i, 0, DIM);
        for (size_t j = 0; j < DIM; j++)
            assert_true(wide[j] >= (double)row[j] && wide[j] <= (double)row[j]);
    }
}

static void test_view(void **state)
{
    (void)state;
    imsat_error err;
    im_csr csr;
    float some[3];
    assert_ok(im_csr_view(&csr, starts, columns, values, ROWS, DIM, "csr", &err), &err);
    assert_rows(&csr);
    im_csr_floats(some, &csr, 0, 2, 3); /* columns 2, 3, 4: the element before is left out */
    assert_memory_equal(some, ((float[]){0, 0, 5}), sizeof some);
    im_csr_floats(some, &csr, 0, 1, 3); /* and the one behind */
    assert_memory_equal(some, ((float[]){2, 0, 0}), sizeof some);
    im_csr_clear(&csr);
}

static void refuse(const int64_t *start, const int32_t *column, const float *value,
                   size_t rows, size_t dim, imsat_status status, const char *message)
{
    imsat_error err;
    im_csr csr;
    assert_refused(im_csr_view(&csr, start, column, value, rows, dim, "x", &err), &err, status,
                   message);
}

static void test_refusals(void **state)
{
    (void)state;
    const int64_t from_one[] = {1, 2, 2, 4}, back[] = {0, 2, 1, 4};
    const int32_t beyond[] = {1, 6, 0, 5}, negative[] = {1, 4, -1, 5};
    const int32_t falling[] = {4, 1, 0, 5}, twice[] = {1, 4, 5, 5};
    const float infinite[] = {2, 5, 1, INFINITY};
    refuse(from_one, columns, values, ROWS, DIM, IMSAT_EINVAL, "row 0 starts at element 1");
    refuse(back, columns, values, ROWS, DIM, IMSAT_EINVAL,
           "row 1 (from 0) goes from element 2 to 1");
    refuse(starts, beyond, values, ROWS, DIM, IMSAT_EINVAL,
           "row 0 (from 0) has column 6; it must be from 0 to 5");
    refuse(starts, negative, values, ROWS, DIM, IMSAT_EINVAL, "row 2 (from 0) has column -1");
    refuse(starts, falling, values, ROWS, DIM, IMSAT_EINVAL,
           "row 0 (from 0) has column 1 behind a larger one");
    refuse(starts, twice, values, ROWS, DIM, IMSAT_EINVAL,
           "row 2 (from 0) has column 5 twice; columns must ascend in each row (scipy: "
           "sum_duplicates())");
    refuse(starts, columns, infinite, ROWS, DIM, IMSAT_EFORMAT,
           "row 2, column 5 (both from 0) is inf");
    refuse(starts, columns, values, 0, DIM, IMSAT_EINVAL, "0 rows of 6 values");
    refuse(starts, columns, values, ROWS, 0, IMSAT_EINVAL, "3 rows of 0 values");
    refuse(starts, columns, values, ROWS, (size_t)1 << 31, IMSAT_EINVAL,
           "2147483648 columns; sparse rows have at most 2147483647");
}

/* The rows above, the elements of row 2 the wrong way round. */
static imsat_status build(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_builder builder;
    im_csr *out = context;
    im_csr_begin(&builder);
    IM_TRY(im_csr_add(&builder, 1, 2, err));
    IM_TRY(im_csr_add(&builder, 4, 5, err));
    IM_TRY(im_csr_end_row(&builder, "x", 0, err));
    IM_TRY(im_csr_end_row(&builder, "x", 0, err));
    IM_TRY(im_csr_add(&builder, 5, 6, err));
    IM_TRY(im_csr_add(&builder, 0, 1, err));
    IM_TRY(im_csr_end_row(&builder, "x", 0, err));
    assert_int_equal(builder.columns, DIM);
    IM_TRY(im_csr_finish(out, &builder, DIM, err));
    assert_rows(out);
    im_csr_clear(out);

cleanup:
    im_csr_builder_clear(&builder);
    return st;
}

static void test_builder(void **state)
{
    (void)state;
    imsat_error err;
    im_csr csr = {0};
    assert_ok(build(&csr, &err), &err);
    assert_true(fail_each(build, &csr) >= 5);
}

static void test_builder_refuses_twice(void **state)
{
    (void)state;
    imsat_error err;
    im_csr_builder builder;
    im_csr_begin(&builder);
    assert_ok(im_csr_add(&builder, 3, 1, &err), &err);
    assert_ok(im_csr_add(&builder, 2, 1, &err), &err);
    assert_ok(im_csr_add(&builder, 3, 1, &err), &err);
    assert_refused(im_csr_end_row(&builder, "a.svm: line 7", 1, &err), &err, IMSAT_EFORMAT,
                   "a.svm: line 7: column 4 comes twice in the row");
    im_csr_builder_clear(&builder);
}

/* More elements in a row, and more rows, than there is room for at first. */
static void test_builder_grows(void **state)
{
    (void)state;
    enum { MANY = 30000 };
    imsat_error err;
    im_csr_builder builder;
    im_csr csr;
    im_csr_begin(&builder);
    for (int32_t j = MANY; j-- > 0;)
        assert_ok(im_csr_add(&builder, j, (float)j, &err), &err);
    assert_ok(im_csr_end_row(&builder, "x", 0, &err), &err);
    for (int32_t i = 1; i < MANY; i++) {
        assert_ok(im_csr_add(&builder, i, 1, &err), &err);
        assert_ok(im_csr_end_row(&builder, "x", 0, &err), &err);
    }
    assert_ok(im_csr_finish(&csr, &builder, MANY + 5, &err), &err);
    assert_int_equal(csr.rows, MANY);
    assert_int_equal(csr.longest, MANY);
    for (int32_t j = 0; j < MANY; j++)
        assert_int_equal(im_csr_at(&csr, 0).column[j], j);
    for (int32_t i = 1; i < MANY; i++) {
        assert_int_equal(im_csr_at(&csr, (size_t)i).count, 1);
        assert_int_equal(im_csr_at(&csr, (size_t)i).column[0], i);
    }
    im_csr_clear(&csr);
}

static imsat_status sort(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_sorter sorter = {0};
    im_csr *out = context;
    IM_TRY(im_csr_sort_begin(&sorter, ROWS, err));
    IM_TRY(im_csr_sort_add(&sorter, 2, 5, 6, err));
    IM_TRY(im_csr_sort_add(&sorter, 0, 4, 5, err));
    IM_TRY(im_csr_sort_add(&sorter, 2, 0, 1, err));
    IM_TRY(im_csr_sort_add(&sorter, 0, 1, 2, err));
    IM_TRY(im_csr_sort_finish(out, &sorter, DIM, "x", 1, err));
    assert_rows(out);
    im_csr_clear(out);

cleanup:
    im_csr_sort_clear(&sorter);
    return st;
}

static void test_sorter(void **state)
{
    (void)state;
    imsat_error err;
    im_csr csr = {0};
    im_csr_sorter sorter;
    assert_ok(sort(&csr, &err), &err);
    assert_true(fail_each(sort, &csr) >= 6);
    assert_ok(im_csr_sort_begin(&sorter, ROWS, &err), &err);
    assert_ok(im_csr_sort_add(&sorter, 2, 5, 6, &err), &err);
    assert_ok(im_csr_sort_add(&sorter, 0, 5, 6, &err), &err);
    assert_ok(im_csr_sort_add(&sorter, 2, 5, 1, &err), &err);
    assert_refused(im_csr_sort_finish(&csr, &sorter, DIM, "x", 1, &err), &err, IMSAT_EFORMAT,
                   "x: row 3, column 6 comes twice");
    im_csr_sort_clear(&sorter);
}

static void test_columns_from_one(void **state)
{
    (void)state;
    imsat_error err;
    im_csr_builder builder;
    im_csr csr;
    im_csr_begin(&builder);
    assert_ok(im_csr_add(&builder, 1, 7, &err), &err);
    assert_ok(im_csr_add(&builder, 3, 8, &err), &err);
    assert_ok(im_csr_end_row(&builder, "x", 0, &err), &err);
    assert_ok(im_csr_finish(&csr, &builder, 4, &err), &err);
    im_csr_count_from_one(&csr);
    assert_int_equal(csr.dim, 3);
    assert_int_equal(csr.column[0], 0);
    assert_int_equal(csr.column[1], 2);
    im_csr_clear(&csr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_builder),
        cmocka_unit_test(test_builder_refuses_twice),
        cmocka_unit_test(test_builder_grows),
        cmocka_unit_test(test_sorter),
        cmocka_unit_test(test_columns_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
