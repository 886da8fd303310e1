/* SPDX-License-Identifier: MIT
 * Rows as small pictures. */
#include "plot/thumbs.h"

#include "failing_alloc.h"
#include "support.h"

#include <string.h>

enum { SIDE = 64, N = 3 };

static float x[N * SIDE * SIDE * 3];

static imsat_data *open_rows(size_t dim)
{
    imsat_data *data = NULL;
    for (size_t i = 0; i < N * dim; i++)
        x[i] = (float)(i % dim) - 5;
    assert_ok(imsat_data_view(&data, x, N, dim, dim, NULL), NULL);
    return data;
}

static void assert_shape(imsat_image image, size_t height, size_t width, size_t channels)
{
    imsat_data *data = open_rows(image.height * image.width * image.channels);
    im_thumbs t = {0};
    im_strbuf out = {0};
    assert_ok(im_thumbs_fit(&t, image, data, NULL), NULL);
    assert_int_equal(t.height, height);
    assert_int_equal(t.width, width);
    assert_int_equal(t.channels, channels);
    assert_ok(im_thumbs_put(&out, &t, data, 1, NULL), NULL);
    assert_memory_equal(out.text, "data:image/png;base64,iVBORw0KGgo", 33);
    assert_true(t.pixels[0] <= 1); /* the least value is black */
    assert_true(out.used <= im_thumbs_bytes(&t));
    im_strbuf_clear(&out);
    im_thumbs_clear(&t);
    imsat_data_free(data);
}

static void any_shape(void **state)
{
    (void)state;
    assert_shape((imsat_image){8, 8, 1}, 8, 8, 1);
    assert_shape((imsat_image){5, 9, 3}, 5, 9, 3);
    assert_shape((imsat_image){5, 9, 2}, 5, 9, 1); /* the mean of two channels */
    assert_shape((imsat_image){7, 9, 4}, 7, 9, 3); /* the first three of four */
    assert_shape((imsat_image){1, 1, 1}, 1, 1, 1);
}

/* A picture that is too large becomes means of squares. */
static void large_ones_shrink(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    im_thumbs t = {0};
    im_strbuf out = {0};
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        x[i] = (float)(i / SIDE % 2 * 2); /* lines of 0 and 2 */
    x[0] = 6;
    assert_ok(imsat_data_view(&data, x, 1, (size_t)SIDE * SIDE, (size_t)SIDE * SIDE, NULL),
              NULL);
    assert_ok(im_thumbs_fit(&t, (imsat_image){SIDE, SIDE, 1}, data, NULL), NULL);
    assert_ok(im_thumbs_put(&out, &t, data, 0, NULL), NULL);
    assert_int_equal(t.height, IM_THUMBS_SIDE);
    assert_int_equal(t.pixels[1], (int)(255.0 / 6 + 0.5));
    assert_int_equal(t.pixels[0], (int)(255 * 2.5 / 6 + 0.5));
    im_strbuf_clear(&out);
    im_thumbs_clear(&t);
    imsat_data_free(data);
}

static void rows_that_are_no_images(void **state)
{
    (void)state;
    imsat_data *data = open_rows(7);
    im_thumbs t = {0};
    assert_ok(im_thumbs_fit(&t, (imsat_image){0, 0, 0}, data, NULL), NULL);
    assert_null(t.row);
    imsat_data_free(data);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    im_thumbs t = {0};
    im_strbuf out = {0};
    imsat_status st = im_thumbs_fit(&t, (imsat_image){4, 5, 1}, context, err);
    if (st == IMSAT_OK)
        st = im_thumbs_sheet(&out, &t, context, 2, 2, 100, err);
    if (st == IMSAT_OK)
        st = im_strbuf_check(&out, "a sheet", err);
    im_strbuf_clear(&out);
    im_thumbs_clear(&t);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = open_rows(20);
    assert_true(fail_each(try_once, data) >= 5);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shape),
        cmocka_unit_test(large_ones_shrink),
        cmocka_unit_test(rows_that_are_no_images),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
