/* SPDX-License-Identifier: MIT
 * Pixels: gray and color, opacity, orientation. test_image.c has pictures. */
#include "core/alloc.h"
#include "data/image_codec.h"
#include "failing_alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

static im_image make(size_t height, size_t width, size_t channels, const void *pixels)
{
    im_image image = {0};
    imsat_error err;
    assert_ok(im_image_new(&image, height, width, channels, "x", &err), &err);
    memcpy(image.pixels, pixels, height * width * channels);
    return image;
}

/* Every opacity of every value, in gray and in color, against the formula. */
static void opacity_is_laid_on_white(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned v = 0; v < 256; v++) {
            const unsigned char value = (unsigned char)v, other = (unsigned char)(255 - v);
            const unsigned char bytes[] = {value, (unsigned char)a, other, (unsigned char)a};
            const double share = a / 255.0;
            im_image gray = make(1, 2, 2, bytes);
            im_image_flatten(&gray);
            assert_int_equal(gray.channels, 1);
            assert_int_equal(gray.pixels[0], lround(share * v + (1 - share) * 255));
            assert_int_equal(gray.pixels[1], lround(share * (255 - v) + (1 - share) * 255));
            im_image_clear(&gray);
        }
    im_image color = make(1, 2, 4, "\1\2\3\377\4\5\6\0");
    im_image_flatten(&color);
    assert_int_equal(color.channels, 3);
    assert_memory_equal(color.pixels, "\1\2\3\377\377\377", 6);
    im_image_flatten(&color); /* has none any more */
    assert_int_equal(color.channels, 3);
    im_image_clear(&color);
}

static void gray_is_luma_and_color_is_gray_thrice(void **state)
{
    (void)state;
    imsat_error err;
    im_image image = make(2, 2, 3, "\377\0\0\0\377\0\0\0\377\377\377\377");
    assert_ok(im_image_convert(&image, 3, &err), &err);
    assert_int_equal(image.channels, 3);
    assert_ok(im_image_convert(&image, 1, &err), &err);
    assert_int_equal(image.channels, 1);
    assert_memory_equal(image.pixels, "\114\226\35\377", 4); /* 76 150 29 255 */
    assert_ok(im_image_convert(&image, 3, &err), &err);
    assert_memory_equal(image.pixels, "\114\114\114\226\226\226\35\35\35\377\377\377", 12);
    im_image_clear(&image);
}

/* What each says of a picture
 *     a b c
 *     d e f */
static void orientations_are_as_exif_defines_them(void **state)
{
    static const char *const expected[] = {"abcdef", "abcdef", "cbafed", "fedcba", "defabc",
                                           "adbecf", "daebfc", "fcebda", "cfbead", "abcdef"};
    (void)state;
    for (unsigned n = 0; n < 10; n++) {
        imsat_error err;
        im_image image = make(2, 3, 1, "abcdef");
        assert_ok(im_image_orient(&image, n, "x", &err), &err);
        assert_int_equal(image.height, n >= 5 && n <= 8 ? 3 : 2);
        assert_int_equal(image.height * image.width, 6);
        assert_memory_equal(image.pixels, expected[n], 6);
        im_image_clear(&image);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    imsat_error err;
    assert_ok(im_image_check(1, IM_IMAGE_MAX_SIDE, "x", &err), &err);
    assert_ok(im_image_check(1 << 13, 1 << 14, "x", &err), &err);
    assert_refused(im_image_check((1 << 13) + 1, 1 << 14, "x", &err), &err, IMSAT_EFORMAT,
                   "x: an image of 8193 x 16384 pixels; imsat reads at most");
    assert_refused(im_image_check(1, IM_IMAGE_MAX_SIDE + 1, "x", &err), &err, IMSAT_EFORMAT,
                   "make it smaller");
    assert_refused(im_image_check(SIZE_MAX, SIZE_MAX, "x", &err), &err, IMSAT_EFORMAT,
                   "make it smaller");
    assert_refused(im_image_check(0, 5, "x", &err), &err, IMSAT_EFORMAT,
                   "x: an image of 0 x 5 pixels, which are none");
    assert_refused(im_image_check(5, 0, "x", &err), &err, IMSAT_EFORMAT, "none");
}

static void sizes_fit_the_file(void **state)
{
    (void)state;
    imsat_error err;
    const size_t few = IM_IMAGE_FREE_PIXELS / 4, bytes = 3000;
    const size_t most = IM_IMAGE_FREE_PIXELS + bytes * IM_IMAGE_PIXELS_A_BYTE;
    assert_ok(im_image_check_file(4, few, 0, "x", &err), &err);
    assert_refused(im_image_check_file(4, few + 1, 0, "x", &err), &err, IMSAT_EFORMAT,
                   "x: an image of 4 x 1048577 pixels; imsat reads at most");
    assert_refused(im_image_check_file(5, few, 0, "x", &err), &err, IMSAT_EFORMAT,
                   "x: an image of 5 x 1048576 pixels in 0 bytes, which hold almost nothing");
    assert_ok(im_image_check_file(most / 100 - 1, 100, bytes, "x", &err), &err);
    assert_refused(im_image_check_file(most / 100 + 1, 100, bytes, "x", &err), &err,
                   IMSAT_EFORMAT,
                   "in 3000 bytes, which hold almost nothing: it is damaged or "
                   "blank; make it smaller");
    assert_ok(im_image_check_file(1 << 13, 1 << 14, 20000, "x", &err), &err);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_image image = {0};
    (void)context;
    imsat_status st = im_image_new(&image, 2, 3, 1, "x", err);
    if (st == IMSAT_OK)
        st = im_image_convert(&image, 3, err);
    if (st == IMSAT_OK)
        st = im_image_orient(&image, 5, "x", err);
    im_image_clear(&image);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt, NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opacity_is_laid_on_white),
        cmocka_unit_test(gray_is_luma_and_color_is_gray_thrice),
        cmocka_unit_test(orientations_are_as_exif_defines_them),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(sizes_fit_the_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("image_pixels", tests, NULL, NULL);
}
