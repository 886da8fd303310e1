/* SPDX-License-Identifier: MIT
 * What rows count by their radius: as the head of the file says, and the same for all where
 * radii tell nothing. */
#include "train/row_weights.h"

#include "support.h"

#include <math.h>

/* 1 to 10,000 in steps of 1: the median is 5,000, the 90 % quantile 9,000. */
static void rows_count_by_their_radius(void **state)
{
    (void)state;
    enum { N = 10000 };
    float *radius = test_malloc(N * sizeof *radius);
    for (size_t i = 0; i < N; i++)
        radius[(i * 7919) % N] = (float)(i + 1);
    const im_row_weights w = im_row_weights_of(radius, N, 3);
    assert_near(w.middle, 5000, 100); /* of a sample */
    assert_near(w.power, log(3) / log(1.8), 0.1);
    assert_near(im_row_weights_at(&w, w.middle), 1, 1e-12);
    assert_near(im_row_weights_at(&w, 2 * w.middle), pow(2, w.power), 1e-12);
    assert_near(im_row_weights_at(&w, 1e9), 6, 0);
    assert_near(im_row_weights_at(&w, 1), 1.0 / 6, 0);
    assert_near(im_row_weights_at(&w, 0), 1.0 / 6, 0);
    test_free(radius);
}

/* The scale of the data and with it of the radius does not matter. */
static void scale_does_not_matter(void **state)
{
    (void)state;
    float small[11], large[11];
    for (size_t i = 0; i < 11; i++) {
        small[i] = (float)(i + 2);
        large[i] = 1024 * small[i];
    }
    const im_row_weights a = im_row_weights_of(small, 11, 5);
    const im_row_weights b = im_row_weights_of(large, 11, 5);
    assert_near(a.middle, 7, 0);
    assert_near(a.power, log(5) / log(11.0 / 7), 1e-12);
    for (size_t i = 0; i < 11; i++)
        assert_near(im_row_weights_at(&a, (double)small[i]),
                    im_row_weights_at(&b, (double)large[i]), 1e-12);
}

static void equal_radii_count_the_same(void **state)
{
    (void)state;
    const float equal[5] = {2, 2, 2, 2, 2}, zeros[5] = {0, 0, 0, 0, 3}, one[1] = {4};
    const im_row_weights w[3] = {im_row_weights_of(equal, 5, 5),
                                 im_row_weights_of(zeros, 5, 5), im_row_weights_of(one, 1, 5)};
    for (size_t i = 0; i < 3; i++)
        for (double radius = 0; radius < 4; radius++)
            assert_near(im_row_weights_at(&w[i], radius), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_count_by_their_radius),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(equal_radii_count_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
