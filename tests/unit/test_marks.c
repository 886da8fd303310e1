/* SPDX-License-Identifier: MIT
 * The columns in which a cluster differs, by their definition. */
#include "report/marks.h"

#include "failing_alloc.h"
#include "support.h"

#include <math.h>

enum { N = 8, D = 3 };

/* Column 1 tells cluster 1 from the rest by far, column 0 somewhat; column 2 is constant. */
static const float x[N * D] = {0, 10, 5, 1, 11, 5, 2, 10, 5, 3, 11, 5,
                               2, 1,  5, 3, 0,  5, 4, 1,  5, 5, 0,  5};
static const int32_t labels[N] = {0, 0, 0, 0, 1, 1, 1, 1};

static imsat_data *open_rows(void)
{
    imsat_data *data = NULL;
    assert_ok(imsat_data_view(&data, x, N, D, D, NULL), NULL);
    return data;
}

static void the_strongest_first(void **state)
{
    (void)state;
    imsat_data *data = open_rows();
    im_marks columns;
    im_mark marks[D];
    assert_ok(im_marks_fit(&columns, data, labels, false, NULL), NULL);
    assert_int_equal(im_marks_mark(marks, D, &columns, 1), 2);
    assert_int_equal(marks[0].column, 1);
    assert_near(marks[0].inside, 0.5, 1e-12);
    assert_near(marks[0].outside, 10.5, 1e-12);
    assert_near(marks[0].effect, -10 / sqrt(25.25), 1e-12);
    assert_int_equal(marks[1].column, 0);
    assert_near(marks[1].effect, 2 / sqrt(2.25), 1e-12);
    assert_int_equal(im_marks_mark(marks, 1, &columns, 1), 1);
    assert_int_equal(marks[0].column, 1);
    assert_int_equal(im_marks_mark(marks, D, &columns, 7), 0); /* no row of the sample */
    im_marks_clear(&columns);
    imsat_data_free(data);
}

/* Of words: what there is more of, and by how much. */
static void of_words_what_it_has_more_of(void **state)
{
    (void)state;
    imsat_data *data = open_rows();
    im_marks columns;
    im_mark marks[D];
    assert_ok(im_marks_fit(&columns, data, labels, true, NULL), NULL);
    assert_int_equal(im_marks_mark(marks, D, &columns, 1), 1);
    assert_int_equal(marks[0].column, 0);
    assert_near(marks[0].effect, 2, 1e-12);
    im_marks_clear(&columns);
    imsat_data_free(data);
}

static void distributions(void **state)
{
    (void)state;
    imsat_data *data = open_rows();
    im_marks columns;
    double inside[IM_MARKS_BINS], outside[IM_MARKS_BINS], sum = 0;
    assert_ok(im_marks_fit(&columns, data, labels, false, NULL), NULL);
    im_marks_spread(inside, outside, &columns, 1, 1);
    assert_near(inside[0], 1, 0);
    assert_near(outside[IM_MARKS_BINS - 1], 1, 0);
    for (size_t b = 0; b < IM_MARKS_BINS; b++)
        sum += inside[b] + outside[b];
    assert_near(sum, 4, 1e-12); /* two rows each at 0, 1, 10 and 11 */
    im_marks_spread(inside, outside, &columns, 2, 1);
    assert_near(inside[0], 1, 0); /* of one value */
    im_marks_clear(&columns);
    imsat_data_free(data);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    im_marks columns = {0};
    const imsat_status st = im_marks_fit(&columns, context, labels, false, err);
    im_marks_clear(&columns);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = open_rows();
    assert_int_equal(fail_each(try_once, data), 2);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_first),
        cmocka_unit_test(of_words_what_it_has_more_of),
        cmocka_unit_test(distributions),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
