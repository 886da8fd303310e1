/* SPDX-License-Identifier: MIT
 * Other sizes of a picture: equal to Pillow's BILINEAR, and what must hold of any filter. */
#define _POSIX_C_SOURCE 200809L
#include "core/alloc.h"
#include "data/image_codec.h"
#include "failing_alloc.h"
#include "pictures.h"
#include "support.h"

#include <string.h>

static im_image resized(const im_image *image, size_t height, size_t width)
{
    im_image out = {0};
    imsat_error err;
    assert_ok(im_image_resize(&out, image, height, width, &err), &err);
    assert_int_equal(out.height, height);
    assert_int_equal(out.width, width);
    assert_int_equal(out.channels, image->channels);
    return out;
}

static void sizes_are_those_of_pillow(void **state)
{
    static const struct {
        size_t width, height;
        const char *expected;
    } sizes[] = {{5, 4, "rgb_5x4.ppm"},     {3, 9, "rgb_3x9.ppm"},   {13, 2, "rgb_13x2.ppm"},
                 {29, 31, "rgb_29x31.ppm"}, {7, 20, "rgb_7x20.ppm"}, {1, 1, "rgb_1x1.ppm"}};
    (void)state;
    im_image rgb = picture_load("rgb.ppm");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        im_image out = resized(&rgb, sizes[i].height, sizes[i].width);
        assert_picture(&out, sizes[i].expected);
        im_image_clear(&out);
    }
    im_image_clear(&rgb);
    im_image luma = picture_load("luma.pgm"), out = resized(&luma, 5, 6);
    assert_picture(&out, "luma_6x5.pgm");
    im_image_clear(&out);
    im_image_clear(&luma);
}

static void the_same_size_is_the_same_picture(void **state)
{
    (void)state;
    im_image rgb = picture_load("rgb.ppm"), out = resized(&rgb, rgb.height, rgb.width);
    assert_picture(&out, "rgb.ppm");
    im_image_clear(&out);
    im_image_clear(&rgb);
}

/* Of one value, whatever the sizes: also where rounded weights add up to more or less than 1.
 */
static void a_plain_picture_stays_plain(void **state)
{
    (void)state;
    imsat_error err;
    for (size_t size = 1; size <= 40; size++)
        for (size_t value = 0; value <= 255; value += 51) {
            im_image image = {0};
            assert_ok(im_image_new(&image, 17, 23, 3, "x", &err), &err);
            memset(image.pixels, (int)value, 17 * 23 * 3);
            im_image out = resized(&image, size, 41 - size);
            for (size_t i = 0; i < size * (41 - size) * 3; i++)
                assert_int_equal(out.pixels[i], value);
            im_image_clear(&out);
            im_image_clear(&image);
        }
}

/* Stripes a pixel wide are gray when they are too fine for the size. A filter that takes some
 * pixels and leaves out others would see stripes. */
static void fine_stripes_become_gray(void **state)
{
    (void)state;
    imsat_error err;
    im_image image = {0};
    assert_ok(im_image_new(&image, 64, 64, 1, "x", &err), &err);
    for (size_t i = 0; i < 64 * 64; i++)
        image.pixels[i] = i % 2 ? 255 : 0;
    im_image out = resized(&image, 8, 8);
    for (size_t i = 0; i < 64; i++)
        assert_true(out.pixels[i] >= 120 && out.pixels[i] <= 135);
    im_image_clear(&out);
    im_image_clear(&image);
}

static void what_was_there_is_replaced(void **state)
{
    (void)state;
    imsat_error err;
    im_image rgb = picture_load("rgb.ppm"), out = picture_load("gray.pgm");
    assert_ok(im_image_resize(&out, &rgb, 4, 5, &err), &err);
    assert_picture(&out, "rgb_5x4.ppm");
    assert_refused(im_image_resize(&out, &rgb, 0, 5, &err), &err, IMSAT_EFORMAT, "none");
    assert_picture(&out, "rgb_5x4.ppm"); /* as it was */
    im_image_clear(&out);
    im_image_clear(&rgb);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_image out = {0};
    const imsat_status st = im_image_resize(&out, context, 4, 5, err);
    assert_true((st == IMSAT_OK) == (out.pixels != NULL));
    im_image_clear(&out);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    im_image rgb = picture_load("rgb.ppm");
    assert_int_equal(fail_each(attempt, &rgb), 10); /* twice: pixels, three lists, shares */
    im_image_clear(&rgb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_pillow),
        cmocka_unit_test(the_same_size_is_the_same_picture),
        cmocka_unit_test(a_plain_picture_stays_plain),
        cmocka_unit_test(fine_stripes_become_gray),
        cmocka_unit_test(what_was_there_is_replaced),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("image_resize", tests, NULL, NULL);
}
