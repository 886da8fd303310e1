/* SPDX-License-Identifier: MIT
 * Data sets from small files in each of their layouts: which files are found, what is said
 * when some are missing, and rows of images and features. */
#include "sets/sets.h"

#include "core/feature.h"
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "imsat/features.h"
#include "mats.h"
#include "set_files.h"
#include "tar_files.h"

#include <stdio.h>
#include <string.h>

enum { CIFAR = 3072, STL = 27648 };

/* ---- files of sets -------------------------------------------------------------------- */

/* Images of 2 x 3 pixels and their labels, as MNIST has them. */
static void put_mnist(bool packed)
{
    static const unsigned char train[] = {0, 0, 8, 3, 0, 0, 0, 2, 0,  0,  0,  2,  0,  0,
                                          0, 3, 1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};
    static const unsigned char test[] = {0, 0, 8, 3, 0, 0,  0,  1,  0,  0,  0,
                                         2, 0, 0, 0, 3, 21, 22, 23, 24, 25, 26};
    static const unsigned char train_y[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 3};
    static const unsigned char test_y[] = {0, 0, 8, 1, 0, 0, 0, 1, 9};
    set_put(packed ? "train-images-idx3-ubyte.gz" : "train-images-idx3-ubyte", train,
            sizeof train, packed);
    set_put(packed ? "train-labels-idx1-ubyte.gz" : "train-labels-idx1-ubyte", train_y,
            sizeof train_y, packed);
    set_put(packed ? "t10k-images-idx3-ubyte.gz" : "t10k-images-idx3-ubyte", test, sizeof test,
            packed);
    set_put(packed ? "t10k-labels-idx1-ubyte.gz" : "t10k-labels-idx1-ubyte", test_y,
            sizeof test_y, packed);
}

/* Record i of a set in planes: labels, and then pixel (row, column, color). */
static unsigned char pixel(size_t i, size_t row, size_t column, size_t color)
{
    return (unsigned char)(17 * i + 5 * row + 3 * column + 100 * color);
}

static void fill_cifar(unsigned char *record, size_t i, size_t labels)
{
    for (size_t j = 0; j < labels; j++)
        record[j] = (unsigned char)(i + 10 * j);
    for (size_t color = 0; color < 3; color++)
        for (size_t p = 0; p < 1024; p++)
            record[labels + color * 1024 + p] = pixel(i, p / 32, p % 32, color);
}

static const char *const batches[] = {"data_batch_1.bin", "data_batch_2.bin",
                                      "data_batch_3.bin", "data_batch_4.bin",
                                      "data_batch_5.bin", "test_batch.bin"};

static void put_cifar10(const char *where, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char record[1 + CIFAR];
        char name[128];
        fill_cifar(record, i, 1);
        snprintf(name, sizeof name, "%s%s", where, batches[i]);
        set_put(name, record, sizeof record, false);
    }
}

static void put_cifar10_archive(bool packed)
{
    static tar_bytes tar;
    tar = (tar_bytes){0};
    for (size_t i = 0; i < 6; i++) {
        unsigned char record[1 + CIFAR];
        char name[128];
        fill_cifar(record, 5 - i, 1);
        snprintf(name, sizeof name, "cifar-10-batches-bin/%s", batches[5 - i]);
        tar_add(&tar, '0', name, record, sizeof record);
    }
    tar_add(&tar, '0', "cifar-10-batches-bin/readme.html", "text", 4);
    tar_end(&tar);
    set_put(packed ? "cifar-10-binary.tar.gz" : "cifar-10-binary.tar", tar.data, tar.size,
            packed);
}

static void put_features(const char *x, const char *y, size_t labels)
{
    static const unsigned char values[] = {0, 100, 255, 1, 2, 3};
    static const unsigned char classes[] = {4, 5};
    unsigned char bytes[256];
    size_t size =
        npy_bytes(bytes, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }",
                  values, sizeof values);
    set_put(x, bytes, size, false);
    size = npy_bytes(bytes, 1,
                     labels == 2 ? "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }"
                                 : "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }",
                     classes, labels);
    set_put(y, bytes, size, false);
}

/* ---- images --------------------------------------------------------------------------- */

static void assert_mnist(void)
{
    static const float expected[] = {1,  2,  3,  4,  5,  6,  11, 12, 13,
                                     14, 15, 16, 21, 22, 23, 24, 25, 26};
    imsat_data *data = set_prepare("mnist", NULL);
    assert_rows(data, expected, 3, 6);
    assert_set_labels(data, (const int32_t[]){7, 3, 9}, 3);
    assert_int_equal(imsat_data_image(data).height, 2);
    assert_int_equal(imsat_data_image(data).width, 3);
    imsat_data_free(data);
}

static void mnist_is_train_and_test(void **state)
{
    (void)state;
    set_folder("m");
    put_mnist(true);
    assert_mnist();
    set_folder("m");
    put_mnist(false);
    assert_mnist();
}

/* Rows are pixels with their colors together, in the order of the batches. */
static void assert_cifar(imsat_data *data, size_t n, const int32_t *labels)
{
    static float rows[6 * CIFAR];
    assert_set_labels(data, labels, n);
    assert_int_equal(imsat_data_dim(data), CIFAR);
    assert_int_equal(imsat_data_image(data).channels, 3);
    assert_ok(imsat_data_read(data, 0, n, rows, NULL), NULL);
    for (size_t i = 0; i < n; i++)
        assert_true(rows[i * CIFAR + (2 * 32 + 7) * 3 + 1] == (float)pixel(i, 2, 7, 1));
    imsat_data_free(data);
}

static void cifar10_is_six_batches(void **state)
{
    (void)state;
    static const int32_t labels[] = {0, 1, 2, 3, 4, 5};
    set_folder("c");
    put_cifar10("", 6);
    assert_cifar(set_prepare("cifar10", NULL), 6, labels);
    set_folder("c");
    put_cifar10("cifar-10-batches-bin/", 6);
    assert_cifar(set_prepare("cifar10", NULL), 6, labels);
    set_folder("c");
    put_cifar10_archive(false);
    assert_cifar(set_prepare("cifar10", NULL), 6, labels);
    set_folder("c");
    put_cifar10_archive(true);
    assert_cifar(set_prepare("cifar10", NULL), 6, labels);
}

static void cifar100_has_its_fine_labels(void **state)
{
    (void)state;
    static unsigned char record[2 + CIFAR];
    set_folder("c");
    fill_cifar(record, 0, 2);
    set_put("cifar-100-binary/train.bin", record, sizeof record, false);
    fill_cifar(record, 1, 2);
    set_put("cifar-100-binary/test.bin", record, sizeof record, false);
    assert_cifar(set_prepare("cifar100", NULL), 2, (const int32_t[]){10, 11});
}

/* STL has its colors column after column, and labels in files of their own. */
static void stl_is_train_and_test(void **state)
{
    (void)state;
    static unsigned char record[STL];
    static float rows[2 * STL];
    set_folder("s");
    for (size_t i = 0; i < 2; i++) {
        const unsigned char label = (unsigned char)(3 + i);
        for (size_t j = 0; j < STL; j++)
            record[j] = pixel(i, j % 96, j / 96 % 96, j / 9216);
        set_put(i ? "stl10_binary/test_X.bin" : "stl10_binary/train_X.bin", record, STL,
                false);
        set_put(i ? "stl10_binary/test_y.bin" : "stl10_binary/train_y.bin", &label, 1, false);
    }
    imsat_data *data = set_prepare("stl", NULL);
    assert_set_labels(data, (const int32_t[]){3, 4}, 2);
    assert_int_equal(imsat_data_image(data).height, 96);
    assert_ok(imsat_data_read(data, 0, 2, rows, NULL), NULL);
    for (size_t i = 0; i < 2; i++)
        assert_true(rows[i * STL + (5 * 96 + 70) * 3 + 2] == (float)pixel(i, 5, 70, 2));
    imsat_data_free(data);
}

/* ---- features -------------------------------------------------------------------------- */

static void features_in_bytes_get_their_scale(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    const imsat_set_form *form = NULL;
    imsat_error err;
    float rows[6], some[2];
    const char *folder = set_folder("f");
    put_features("mobilenetv2_x.npy", "y.npy", 2);
    assert_ok(imsat_sets_prepare(&data, &form, "stl", folder, NULL, &err), &err);
    assert_string_equal(form->name, "mobilenetv2");
    assert_non_null(strstr(form->instead, "ResNet-50"));
    assert_set_labels(data, (const int32_t[]){4, 5}, 2);
    assert_non_null(strstr(imsat_data_describe(data, 0), "times 0.02322"));
    assert_ok(imsat_data_read(data, 0, 2, rows, &err), &err);
    assert_near(rows[1], 100 * 0.02322, 1e-6);
    assert_near(rows[5], 3 * 0.02322, 1e-6);
    im_block_floats(some, &data->blocks[0], 1, 1, 2); /* a part of a row */
    assert_true(some[1] == rows[5]);
    imsat_data_free(data);
}

/* Those of the paper come first, and are not scaled. */
static void features_of_the_paper_are_preferred(void **state)
{
    (void)state;
    set_folder("f");
    put_features("mobilenetv2_x.npy", "y.npy", 2);
    put_features("resnet50_x.npy", "y.npy", 2);
    imsat_data *data = set_prepare("cifar10", NULL);
    assert_rows(data, (const float[]){0, 100, 255, 1, 2, 3}, 2, 3);
    imsat_data_free(data);
    data = set_prepare("cifar10", &(imsat_prepare_options){.form = "mobilenetv2"});
    assert_non_null(strstr(imsat_data_describe(data, 0), "times 0.02353"));
    imsat_data_free(data);
}

static void gist_is_computed_if_it_is_not_there(void **state)
{
    (void)state;
    const imsat_prepare_options options = {.form = "gist", .threads = 1};
    if (!imsat_feature_built(IM_FEATURE_FFTW))
        skip();
    set_folder("g");
    put_cifar10("", 6);
    imsat_data *data = set_prepare("cifar10", &options);
    assert_int_equal(imsat_data_dim(data), IMSAT_GIST_GRAY);
    assert_set_labels(data, (const int32_t[]){0, 1, 2, 3, 4, 5}, 6);
    imsat_data_free(data);
}

/* Images as SVHN has them, column after column, each color apart, and labels from 1 to 10. */
static void put_svhn(const char *name, size_t first, size_t n, const double *labels)
{
    static mat_maker mat;
    static unsigned char values[4 * CIFAR];
    for (size_t j = 0; j < n * CIFAR; j++)
        values[j] = pixel(first + j / CIFAR, j % 32, j / 32 % 32, j / 1024 % 3);
    mat_begin(&mat, false);
    mat_add(&mat, &(mat_variable){.name = "X",
                                  .class = MAT_UINT8,
                                  .dims = {32, 32, 3, (int32_t)n},
                                  .ndim = 4,
                                  .parts = {{MAT_U8, values, n * CIFAR, 1}}});
    mat_add(&mat, &(mat_variable){.name = "y",
                                  .class = MAT_DOUBLE,
                                  .dims = {(int32_t)n, 1},
                                  .ndim = 2,
                                  .parts = {{MAT_F64, labels, n, sizeof *labels}}});
    set_put(name, mat.bytes, mat.size, false);
}

static void svhn_is_gist_of_both_parts(void **state)
{
    (void)state;
    static float images[5 * CIFAR], expected[5 * IMSAT_GIST_COLOR], rows[5 * IMSAT_GIST_COLOR];
    imsat_data *view = NULL, *gist = NULL;
    imsat_error err;
    if (!imsat_feature_built(IM_FEATURE_FFTW))
        skip();
    set_folder("s");
    put_svhn("train_32x32.mat", 0, 3, (const double[]){1, 10, 9});
    put_svhn("test_32x32.mat", 3, 2, (const double[]){10, 5});
    imsat_data *data = set_prepare("svhn", &(imsat_prepare_options){.threads = 1});
    assert_set_labels(data, (const int32_t[]){1, 0, 9, 0, 5}, 5);
    for (size_t j = 0; j < 5 * CIFAR; j++)
        images[j] = pixel(j / CIFAR, j % CIFAR / 96, j / 3 % 32, j % 3);
    assert_ok(imsat_data_view(&view, images, 5, CIFAR, CIFAR, &err), &err);
    view->image = (imsat_image){32, 32, 3};
    assert_ok(imsat_gist(&gist, view, 1, 1, &err), &err);
    assert_ok(imsat_data_read(gist, 0, 5, expected, &err), &err);
    assert_ok(imsat_data_read(data, 0, 5, rows, &err), &err);
    assert_memory_equal(rows, expected, sizeof rows);
    imsat_data_free(view);
    imsat_data_free(gist);
    imsat_data_free(data);
}

/* ---- what is missing -------------------------------------------------------------------- */

static void a_folder_of_the_sets_name_is_looked_into(void **state)
{
    (void)state;
    set_folder("all");
    put_cifar10("cifar10/", 6);
    imsat_data_free(set_prepare("cifar10", NULL));
    put_features("stl10/mobilenetv2_x.npy", "stl10/y.npy", 2);
    imsat_data_free(set_prepare("stl", NULL));
}

static void what_is_looked_for_is_said(void **state)
{
    (void)state;
    set_folder("none");
    assert_not_prepared(
        "cifar10", NULL, IMSAT_EIO,
        "none: no files of cifar10 are there; looked for resnet50_x.npy, mobilenetv2_x.npy, "
        "data_batch_1.bin, cifar-10-batches-bin/data_batch_1.bin, cifar-10-binary.tar, "
        "gist512_x.npy, each also compressed; 'imsat data fetch cifar10' downloads it");
    assert_not_prepared("cifar10", &(imsat_prepare_options){.form = "mobilenetv2"}, IMSAT_EIO,
                        "looked for mobilenetv2_x.npy, each");
    assert_not_prepared("reuters", NULL, IMSAT_EIO,
                        "'imsat data fetch reuters' says where to ask for them");
}

static void a_file_that_is_missing_is_named(void **state)
{
    (void)state;
    set_folder("part");
    put_cifar10("", 5);
    assert_not_prepared(
        "cifar10", NULL, IMSAT_EIO,
        "part/data_batch_1.bin is there, but not test_batch.bin, which cifar10 "
        "needs, too");
}

static void labels_must_be_as_many_as_rows(void **state)
{
    (void)state;
    set_folder("f");
    put_features("gist960_x.npy", "y.npy", 1);
    assert_not_prepared("svhn", NULL, IMSAT_EMISMATCH, "y.npy: 1 labels, but ");
}

static void names_that_are_not_known_are_refused(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    imsat_error err;
    set_folder("none");
    assert_not_prepared("cifar10", &(imsat_prepare_options){.form = "sift"}, IMSAT_EINVAL,
                        "cifar10 cannot be prepared as 'sift'; there is: resnet50, "
                        "mobilenetv2, pixels, gist");
    assert_not_prepared("cifar", NULL, IMSAT_EINVAL, "'cifar': no data set of this name");
    assert_refused(imsat_sets_prepare(&data, NULL, "mnist", in_folder("absent"), NULL, &err),
                   &err, IMSAT_EIO, "absent: is not a folder");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st =
        imsat_sets_prepare(&data, NULL, context, in_folder("a"), NULL, err);
    assert_true((data == NULL) == (st != IMSAT_OK));
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char stl[] = "stl", mnist[] = "mnist";
    set_folder("a");
    put_features("mobilenetv2_x.npy", "y.npy", 2);
    put_mnist(true);
    assert_true(fail_each(attempt, stl) >= 10);
    assert_true(fail_each(attempt, mnist) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mnist_is_train_and_test),
        cmocka_unit_test(cifar10_is_six_batches),
        cmocka_unit_test(cifar100_has_its_fine_labels),
        cmocka_unit_test(stl_is_train_and_test),
        cmocka_unit_test(features_in_bytes_get_their_scale),
        cmocka_unit_test(features_of_the_paper_are_preferred),
        cmocka_unit_test(gist_is_computed_if_it_is_not_there),
        cmocka_unit_test(svhn_is_gist_of_both_parts),
        cmocka_unit_test(a_folder_of_the_sets_name_is_looked_into),
        cmocka_unit_test(what_is_looked_for_is_said),
        cmocka_unit_test(a_file_that_is_missing_is_named),
        cmocka_unit_test(labels_must_be_as_many_as_rows),
        cmocka_unit_test(names_that_are_not_known_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_files_start, set_files_end);
}
