/* SPDX-License-Identifier: MIT
 * GIST beside an implementation by NumPy (tests/peers/gist.py --golden), and what must hold of
 * it by its definition. tsan: threads_do_not_matter. */
#include "features/gist.h"

#include "core/alloc.h"
#include "core/feature.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef IMSAT_SOURCE
#define IMSAT_SOURCE "."
#endif

static imsat_data *golden(const char *name)
{
    char path[512];
    const char *paths[] = {path};
    imsat_error err;
    imsat_data *data = NULL;
    snprintf(path, sizeof path, "%s/tests/golden/gist/%s.npy", IMSAT_SOURCE, name);
    assert_ok(imsat_data_open(&data, paths, 1, NULL, &err), &err);
    return data;
}

/* A build without FFTW has nothing to test but its refusal. */
static void need_fftw(void)
{
    if (!imsat_feature_built(IM_FEATURE_FFTW))
        skip();
}

static imsat_status describe(float *out, const imsat_data *data, bool color, int threads,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_gist gist = {0};
    im_pool *pool = NULL;
    IM_TRY(im_pool_new(&pool, threads, err));
    IM_TRY(im_gist_new(&gist, imsat_data_image(data), color, "images", err));
    IM_TRY(im_gist_rows(out, &gist, data, 0, imsat_data_rows(data), pool, err));

cleanup:
    im_gist_clear(&gist);
    im_pool_free(pool);
    return st;
}

/* Images of the golden files and what NumPy made of them. */
static void assert_golden(const char *name, bool color)
{
    char other[64];
    imsat_error err;
    snprintf(other, sizeof other, "%s_%s", name, color ? "color" : "gray");
    imsat_data *images = golden(name), *expected = golden(other);
    const size_t count = imsat_data_rows(images) * imsat_data_dim(expected);
    assert_int_equal(imsat_data_dim(expected), color ? 960 : 512);
    float *ours = im_alloc(count, sizeof *ours), *theirs = im_alloc(count, sizeof *theirs);
    assert_ok(describe(ours, images, color, 1, &err), &err);
    assert_ok(imsat_data_read(expected, 0, imsat_data_rows(expected), theirs, &err), &err);
    for (size_t i = 0; i < count; i++)
        assert_near((double)ours[i], (double)theirs[i], 2e-7);
    im_free(ours);
    im_free(theirs);
    imsat_data_free(images);
    imsat_data_free(expected);
}

static void values_are_those_of_numpy(void **state)
{
    (void)state;
    need_fftw();
    assert_golden("square", false);
    assert_golden("square", true);
    assert_golden("odd", false); /* neither square nor of a size that 4 divides */
    assert_golden("odd", true);
}

/* An image of a file, as floats, with another number of channels. */
static imsat_data *as_floats(float *pixels, imsat_image image, size_t rows)
{
    imsat_error err;
    imsat_data *data = NULL;
    const size_t dim = image.height * image.width * image.channels;
    assert_ok(imsat_data_view(&data, pixels, rows, dim, dim, &err), &err);
    data->image = image;
    return data;
}

/* Gray is stretched to the same range: brightness and contrast do not matter, and one channel
 * is as good as three that are alike. */
static void gray_does_not_depend_on_brightness(void **state)
{
    enum { SIDE = 9, PIXELS = SIDE * SIDE };
    float pixels[4 * PIXELS];
    float one[512], other[512];
    imsat_error err;
    (void)state;
    need_fftw();
    for (size_t i = 0; i < PIXELS; i++) {
        pixels[i] = (float)(i * i % 101);
        for (size_t c = 0; c < 3; c++)
            pixels[PIXELS + 3 * i + c] = 7 + 2 * pixels[i];
    }
    imsat_data *gray = as_floats(pixels, (imsat_image){SIDE, SIDE, 1}, 1);
    imsat_data *color = as_floats(pixels + PIXELS, (imsat_image){SIDE, SIDE, 3}, 1);
    assert_ok(describe(one, gray, false, 1, &err), &err);
    assert_ok(describe(other, color, false, 1, &err), &err);
    for (size_t i = 0; i < 512; i++) {
        assert_true(one[i] > 0);
        assert_near((double)one[i], (double)other[i], 1e-6);
    }
    imsat_data_free(gray);
    imsat_data_free(color);
}

static void a_plain_image_is_nothing(void **state)
{
    float pixels[48], out[960];
    imsat_error err;
    (void)state;
    need_fftw();
    for (size_t i = 0; i < 48; i++)
        pixels[i] = 77;
    imsat_data *data = as_floats(pixels, (imsat_image){4, 4, 3}, 1);
    for (int color = 0; color <= 1; color++) {
        assert_ok(describe(out, data, color, 1, &err), &err);
        for (size_t i = 0; i < (color ? 960 : 512); i++)
            assert_near((double)out[i], 0, 1e-9);
    }
    imsat_data_free(data);
}

static void threads_do_not_matter(void **state)
{
    static float pixels[20 * 5 * 6 * 3], one[20 * 960], three[20 * 960];
    imsat_error err;
    (void)state;
    need_fftw();
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++)
        pixels[i] = (float)(i * i % 256);
    imsat_data *data = as_floats(pixels, (imsat_image){5, 6, 3}, 20);
    assert_ok(describe(one, data, true, 1, &err), &err);
    assert_ok(describe(three, data, true, 3, &err), &err);
    assert_memory_equal(one, three, sizeof one);
    imsat_data_free(data);
}

static void what_is_no_image_is_refused(void **state)
{
    float pixels[48] = {0}, out[3 * 512];
    imsat_error err;
    im_gist gist = {0};
    (void)state;
    assert_refused(im_gist_new(&gist, (imsat_image){0}, false, "a.npy", &err), &err,
                   IMSAT_EINVAL, "a.npy: GIST is of images");
    assert_refused(im_gist_new(&gist, (imsat_image){3, 9, 1}, false, "a.npy", &err), &err,
                   IMSAT_EINVAL, "images of 3 x 9 pixels; GIST is of sides from 4 to 1024");
    assert_refused(im_gist_new(&gist, (imsat_image){9, 1025, 1}, false, "a.npy", &err), &err,
                   IMSAT_EINVAL, "resize them");
    assert_refused(im_gist_new(&gist, (imsat_image){9, 9, 1}, true, "a.npy", &err), &err,
                   IMSAT_EINVAL, "images of 1 channels; color GIST is of images of 3");
    assert_refused(im_gist_new(&gist, (imsat_image){9, 9, 2}, false, "a.npy", &err), &err,
                   IMSAT_EINVAL, "images of 2 channels; gray GIST is of images of 1 or 3");
    need_fftw();
    pixels[20] = -1;
    imsat_data *data = as_floats(pixels, (imsat_image){4, 4, 1}, 3);
    assert_refused(describe(out, data, false, 1, &err), &err, IMSAT_EINVAL,
                   "row 1 (from 0) has a negative value");
    imsat_data_free(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    static float out[2 * 960];
    return describe(out, context, true, 1, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    need_fftw();
    imsat_data *data = golden("square");
    assert_true(fail_each(attempt, data) >= 6);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_numpy),
        cmocka_unit_test(gray_does_not_depend_on_brightness),
        cmocka_unit_test(a_plain_image_is_nothing),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_is_no_image_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
