/* SPDX-License-Identifier: MIT
 * Pictures of folders and archives as rows: they are those that im_image_decode() gives, in
 * the shape that is asked for. */
#define _POSIX_C_SOURCE 200809L
#include "data/pictures.h"

#include "core/feature.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "pictures.h"
#include "tar_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static tar_bytes tar;

/* An archive of pictures of tests/images, under other names: pairs of both. */
static const char *archive(const char *name, const char *const (*members)[2], size_t count)
{
    static unsigned char bytes[1 << 14];
    memset(&tar, 0, sizeof tar);
    for (size_t i = 0; i < count; i++)
        tar_add(&tar, '0', members[i][0], bytes,
                picture_bytes(members[i][1], bytes, sizeof bytes));
    tar_end(&tar);
    return file_put(name, tar.data, tar.size);
}

static imsat_status open_shaped(imsat_data **out, const char *path, imsat_image image,
                                imsat_error *err)
{
    const imsat_data_options options = {.image = image};
    return imsat_data_open(out, &path, 1, &options, err);
}

static void need_png(void)
{
    if (!imsat_feature_built(IM_FEATURE_PNG))
        skip();
}

/* Row `row` is the picture, as it is decoded. */
static void assert_row(const imsat_data *data, size_t row, const im_image *picture)
{
    static float values[1 << 16];
    imsat_error err;
    const size_t count = picture->height * picture->width * picture->channels;
    assert_int_equal(imsat_data_dim(data), count);
    assert_ok(imsat_data_read(data, row, 1, values, &err), &err);
    for (size_t i = 0; i < count; i++)
        assert_int_equal((int)values[i], picture->pixels[i]);
}

static void rows_are_pictures_and_folders_labels(void **state)
{
    (void)state;
    need_png();
    static const char *const members[][2] = {{"set/b/1.png", "rgb.png"},
                                             {"set/a/1.png", "interlaced.png"},
                                             {"set/b/2.png", "rgb.png"}};
    const char *path = archive("three.tar", members, 3);
    imsat_data *data = open_with(path, NULL);
    im_image rgb = picture_load("rgb.ppm"), interlaced = picture_load("interlaced.ppm");
    assert_int_equal(imsat_data_rows(data), 3);
    const imsat_image image = imsat_data_image(data);
    assert_int_equal(image.height, rgb.height);
    assert_int_equal(image.width, rgb.width);
    assert_int_equal(image.channels, 3);
    assert_row(data, 0, &rgb);
    assert_row(data, 1, &interlaced);
    assert_row(data, 2, &rgb);
    const int32_t expected[] = {1, 0, 1};
    assert_memory_equal(imsat_data_labels(data), expected, sizeof expected);
    assert_non_null(strstr(imsat_data_describe(data, 0), "pictures, uint8 (3, "));
    imsat_data_free(data);
    im_image_clear(&rgb);
    im_image_clear(&interlaced);
}

/* Labels alone need no pictures that are alike, nor pictures. */
static void folders_are_labels_by_themselves(void **state)
{
    (void)state;
    static const char *const members[][2] = {
        {"set/b/1.png", "rgb.png"}, {"set/a/1.txt", "gray.pgm"}, {"set/b/2.png", "gray.png"}};
    const int32_t expected[] = {1, 0, 1};
    int32_t *labels = NULL;
    size_t n = 0;
    imsat_error err;
    const char *path = archive("three.tar", members, 3);
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, 3);
    assert_memory_equal(labels, expected, sizeof expected);
    imsat_free(labels);
    path = archive("three.tar", members, 1);
    assert_refused(imsat_labels_read(&labels, &n, &path, 1, &err), &err, IMSAT_EFORMAT,
                   "its rows have no labels");
}

static void all_are_brought_to_a_shape(void **state)
{
    (void)state;
    need_png();
    static const char *const members[][2] = {{"1.png", "rgb.png"}, {"2.png", "gray.png"}};
    const char *path = archive("two.tar", members, 2);
    imsat_error err;
    imsat_data *data = NULL;
    for (size_t channels = 1; channels <= 3; channels += 2) {
        const imsat_image shape = {4, 5, channels};
        assert_ok(open_shaped(&data, path, shape, &err), &err);
        assert_int_equal(imsat_data_rows(data), 2);
        assert_null(imsat_data_labels(data));
        for (size_t i = 0; i < 2; i++) {
            im_image picture = picture_load(i ? "gray.pgm" : "rgb.ppm"), small = {0};
            assert_ok(im_image_convert(&picture, channels, &err), &err);
            assert_ok(im_image_resize(&small, &picture, 4, 5, &err), &err);
            assert_row(data, i, &small);
            im_image_clear(&picture);
            im_image_clear(&small);
        }
        imsat_data_free(data);
    }
    assert_refused(open_shaped(&data, path, (imsat_image){0}, &err), &err, IMSAT_EFORMAT,
                   "two.tar/2.png: is ");
    assert_message(&err, path, "bring all to one shape, as by --image ");
    assert_refused(open_shaped(&data, path, (imsat_image){4, 5, 2}, &err), &err, IMSAT_EINVAL,
                   "they have 1 channel (gray) or 3 (color)");
    assert_refused(open_shaped(&data, path, (imsat_image){1 << 20, 1 << 20, 1}, &err), &err,
                   IMSAT_EINVAL, "at most 134217728 pixels");
}

static void a_folder_or_one_picture_does(void **state)
{
    (void)state;
    need_png();
    static unsigned char bytes[1 << 14];
    char folder[512], file[600];
    const size_t size = picture_bytes("rgb.png", bytes, sizeof bytes);
    im_image rgb = picture_load("rgb.ppm");
    snprintf(folder, sizeof folder, "%s", in_folder("pics"));
    snprintf(file, sizeof file, "%s/1.png", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_unreadable(folder, "there are no files in it");
    write_file(file, bytes, size);
    imsat_data *data = open_with(folder, NULL);
    assert_int_equal(imsat_data_rows(data), 1);
    assert_row(data, 0, &rgb);
    imsat_data_free(data);
    data = open_with(file, NULL);
    assert_row(data, 0, &rgb);
    imsat_data_free(data);
    im_image_clear(&rgb);
    remove(file);
    remove(folder);
}

static void what_is_no_picture_is_named(void **state)
{
    (void)state;
    imsat_error err;
    bool are = false;
    memset(&tar, 0, sizeof tar);
    tar_add(&tar, '0', "a/readme.txt", "hello", 5);
    const char *path = file_put("texts.tar", tar.data, tar.size);
    assert_unreadable(path,
                      "texts.tar/a/readme.txt: is not a picture (PNG, JPEG or WebP); texts "
                      "become rows by 'imsat features tfidf'");
    assert_ok(im_pictures_are(&are, path, &err), &err);
    assert_false(are);
    static const char *const members[][2] = {{"1.png", "rgb.png"}, {"2.txt", "rgb.ppm"}};
    path = archive("mixed.tar", members, 2);
    assert_ok(im_pictures_are(&are, path, &err), &err);
    assert_true(are);
    if (imsat_feature_built(IM_FEATURE_PNG))
        assert_unreadable(path, "mixed.tar/2.txt: is not a picture (PNG, JPEG or WebP); those "
                                "before it are");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = open_shaped(&data, context, (imsat_image){4, 5, 1}, err);
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    need_png();
    static const char *const members[][2] = {{"a/1.png", "rgb.png"}, {"b/2.png", "gray.png"}};
    char path[512];
    snprintf(path, sizeof path, "%s", archive("two.tar", members, 2));
    assert_true(fail_each(attempt, path) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_pictures_and_folders_labels),
        cmocka_unit_test(folders_are_labels_by_themselves),
        cmocka_unit_test(all_are_brought_to_a_shape),
        cmocka_unit_test(a_folder_or_one_picture_does),
        cmocka_unit_test(what_is_no_picture_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
