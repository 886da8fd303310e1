/* SPDX-License-Identifier: MIT
 * Data as a model was given it: pictures are brought to the size of those of training, and
 * GIST is made of them. Texts are in test_texts.c. */
#define _POSIX_C_SOURCE 200809L
#include "core/feature.h"
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "imsat/features.h"
#include "pictures.h"
#include "tar_files.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 8, ROWS = 12 };

static float pixels[ROWS * SIDE * SIDE];

/* Images of two kinds: waves across, and waves down. */
static const char *put_images(void)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t y = 0; y < SIDE; y++)
            for (size_t x = 0; x < SIDE; x++)
                pixels[(i * SIDE + y) * SIDE + x] =
                    (float)((i % 2 ? x : y) % 2 * 100 + i + 3 * ((x + y) % 3));
    unsigned char bytes[sizeof pixels / sizeof *pixels];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)pixels[i];
    return file_npy("images.npy",
                    "{'descr': '|u1', 'fortran_order': False, 'shape': (12, 8, 8), }", bytes,
                    sizeof bytes);
}

static imsat_model *train(const imsat_data *data)
{
    imsat_options options;
    imsat_model *model = NULL, *loaded = NULL;
    imsat_error err;
    imsat_options_init(&options, "kmeans", IMSAT_PRESET_DEFAULT);
    options.k = 2;
    assert_ok(imsat_cluster(&model, data, &options, NULL, &err), &err);
    assert_ok(imsat_model_save(model, in_folder("m"), &err), &err);
    assert_ok(imsat_model_load(&loaded, in_folder("m"), &err), &err);
    imsat_model_free(model);
    return loaded;
}

static void need(im_feature feature)
{
    if (!imsat_feature_built(feature))
        skip();
}

static imsat_data *open_for(const imsat_model *model, const char *path)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_model_open(&data, model, &path, 1, NULL, NULL, &err), &err);
    return data;
}

static void pictures_get_the_size_of_training(void **state)
{
    (void)state;
    need(IM_FEATURE_PNG);
    static tar_bytes tar;
    static unsigned char bytes[1 << 14];
    imsat_data *images = open_with(put_images(), NULL);
    imsat_model *model = train(images);
    memset(&tar, 0, sizeof tar);
    tar_add(&tar, '0', "1.png", bytes, picture_bytes("rgb.png", bytes, sizeof bytes));
    imsat_data *data = open_for(model, file_put("pics.tar", tar.data, tar.size));
    im_image rgb = picture_load("rgb.ppm"), small = {0};
    float row[SIDE * SIDE];
    imsat_error err;
    assert_ok(im_image_convert(&rgb, 1, &err), &err);
    assert_ok(im_image_resize(&small, &rgb, SIDE, SIDE, &err), &err);
    assert_int_equal(imsat_data_dim(data), SIDE * SIDE);
    assert_ok(imsat_data_read(data, 0, 1, row, &err), &err);
    for (size_t i = 0; i < SIDE * SIDE; i++)
        assert_int_equal((int)row[i], small.pixels[i]);
    im_image_clear(&rgb);
    im_image_clear(&small);
    imsat_data_free(data);
    imsat_data_free(images);
    imsat_model_free(model);
}

static void descriptors_are_made_of_images(void **state)
{
    (void)state;
    need(IM_FEATURE_FFTW);
    imsat_error err;
    int32_t labels[ROWS], again[ROWS];
    float rows[ROWS * IMSAT_GIST_GRAY];
    imsat_data *images = open_with(put_images(), NULL), *gist = NULL;
    assert_ok(imsat_gist(&gist, images, 0, 1, &err), &err);
    assert_int_equal(imsat_data_rows(gist), ROWS);
    assert_int_equal(imsat_data_dim(gist), IMSAT_GIST_GRAY);
    assert_non_null(strstr(imsat_data_describe(gist, 0), "gray GIST (12, 512) of npy"));
    imsat_model *model = train(gist);
    assert_ok(imsat_predict(model, gist, labels, NULL, 1, &err), &err);
    for (size_t i = 2; i < ROWS; i++)
        assert_int_equal(labels[i], labels[i % 2]);
    imsat_data *other = open_for(model, in_folder("images.npy"));
    assert_ok(imsat_predict(model, other, again, NULL, 1, &err), &err);
    assert_memory_equal(labels, again, sizeof labels);
    imsat_data_free(other);
    /* Descriptors in a file are taken as they are. */
    assert_ok(imsat_data_read(gist, 0, ROWS, rows, &err), &err);
    assert_ok(imsat_npy_write_float(in_folder("gist.npy"), rows, ROWS, IMSAT_GIST_GRAY, &err),
              &err);
    other = open_for(model, in_folder("gist.npy"));
    assert_ok(imsat_predict(model, other, again, NULL, 1, &err), &err);
    assert_memory_equal(labels, again, sizeof labels);
    imsat_data_free(other);
    imsat_data_free(gist);
    imsat_data_free(images);
    imsat_model_free(model);
}

static void images_get_another_size(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *images = open_with(put_images(), NULL), *small = NULL;
    const imsat_image shape = {3, 5, 3};
    assert_ok(imsat_resize(&small, images, shape, &err), &err);
    assert_int_equal(imsat_data_dim(small), 45);
    assert_int_equal(imsat_data_image(small).height, 3);
    for (size_t i = 0; i < ROWS; i++) {
        unsigned char bytes[SIDE * SIDE];
        float row[45];
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (unsigned char)pixels[i * sizeof bytes + j];
        im_image gray = {SIDE, SIDE, 1, bytes}, expected = {0};
        assert_ok(im_image_resize(&expected, &gray, 3, 5, &err), &err);
        assert_ok(imsat_data_read(small, i, 1, row, &err), &err);
        for (size_t j = 0; j < 45; j++)
            assert_int_equal((int)row[j], expected.pixels[j / 3]);
        im_image_clear(&expected);
    }
    imsat_data_free(small);
    small = NULL;
    assert_refused(imsat_resize(&small, images, (imsat_image){0, 5, 1}, &err), &err,
                   IMSAT_EINVAL, "resize: images cannot be made 0 x 5 pixels");
    imsat_data_free(images);
    images = open_with(file_text("x.csv", "1,2\n3,4\n"), NULL);
    assert_refused(imsat_resize(&small, images, shape, &err), &err, IMSAT_EINVAL,
                   "resize: the rows are not known to be images");
    images->image = (imsat_image){1, 2, 1};
    assert_ok(imsat_resize(&small, images, shape, &err), &err);
    imsat_data_free(small);
    imsat_data_free(images);
    small = NULL;
    images = open_with(file_text("x.csv", "1,2\n3.5,4\n"), NULL);
    images->image = (imsat_image){1, 2, 1};
    assert_refused(imsat_resize(&small, images, shape, &err), &err, IMSAT_EINVAL,
                   "resize: row 1, column 0 (both from 0) is 3.5; pixels are whole numbers");
    imsat_data_free(images);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *out = NULL;
    const imsat_status st = imsat_resize(&out, context, (imsat_image){3, 5, 3}, err);
    imsat_data_free(out);
    return st;
}

static imsat_status attempt_gist(void *context, imsat_error *err)
{
    imsat_data *out = NULL;
    const imsat_status st = imsat_gist(&out, context, 0, 1, err);
    imsat_data_free(out);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *images = open_with(put_images(), NULL);
    assert_true(fail_each(attempt, images) > 5);
    if (imsat_feature_built(IM_FEATURE_FFTW))
        assert_true(fail_each(attempt_gist, images) > 8);
    imsat_data_free(images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_get_the_size_of_training),
        cmocka_unit_test(descriptors_are_made_of_images),
        cmocka_unit_test(images_get_another_size),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
