/* SPDX-License-Identifier: MIT
 * CIFAR and STL: colors come together, labels come along, and several batches are one set. */
#include "data/dataset.h"
#include "data_files.h"

#include <stdbool.h>
#include <string.h>

enum { RECORDS = 2, CIFAR = 32, STL = 96, COLORS = 3, MOST = RECORDS * COLORS * STL * STL };

/* The pixel of image i at height h and width w. */
static unsigned char pixel(size_t i, size_t h, size_t w, size_t color)
{
    return (unsigned char)(i * 101 + h * 7 + w * 3 + color * 50);
}

/* A file of records: `labels` bytes 10 i + 1, 10 i + 2, then the planes. */
static const char *make(const char *name, size_t labels, size_t side, bool by_columns)
{
    static unsigned char bytes[MOST + 8];
    size_t used = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        for (size_t l = 0; l < labels; l++)
            bytes[used++] = (unsigned char)(10 * i + l + 1);
        for (size_t color = 0; color < COLORS; color++)
            for (size_t a = 0; a < side; a++)
                for (size_t b = 0; b < side; b++)
                    bytes[used++] = by_columns ? pixel(i, b, a, color) : pixel(i, a, b, color);
    }
    return file_put(name, bytes, used);
}

static void assert_images(const imsat_data *data, size_t side)
{
    static float rows[MOST];
    imsat_error err;
    const imsat_image image = imsat_data_image(data);
    assert_true(image.height == side && image.width == side && image.channels == COLORS);
    assert_int_equal(imsat_data_rows(data), RECORDS);
    assert_ok(imsat_data_read(data, 0, RECORDS, rows, &err), &err);
    const float *at = rows;
    for (size_t i = 0; i < RECORDS; i++)
        for (size_t h = 0; h < side; h++)
            for (size_t w = 0; w < side; w++)
                for (size_t color = 0; color < COLORS; color++)
                    assert_true(*at++ == pixel(i, h, w, color));
}

static void check(const char *name, size_t labels, size_t side, bool by_columns,
                  const char *column, int32_t first)
{
    imsat_data *data = open_with(make(name, labels, side, by_columns), column);
    assert_images(data, side);
    im_data_release(data, 0, RECORDS);
    assert_images(data, side);
    assert_int_equal(imsat_data_labels(data) != NULL, first != 0);
    for (int32_t i = 0; first && i < RECORDS; i++)
        assert_int_equal(imsat_data_labels(data)[i], 10 * i + first);
    imsat_data_free(data);
}

static void colors_come_together(void **state)
{
    (void)state;
    check("data_batch_1.bin", 1, CIFAR, false, NULL, 1);
    check("test_batch.bin", 1, CIFAR, false, "label", 1);
    check("train.bin", 2, CIFAR, false, NULL, 2);
    check("train.bin", 2, CIFAR, false, "fine", 2);
    check("test.bin", 2, CIFAR, false, "coarse", 1);
    check("train_X.bin", 0, STL, true, NULL, 0);
    check("unlabeled_X.bin", 0, STL, true, NULL, 0);
}

/* Parts of a row, as those who take it piece by piece ask for them. */
static void any_part_of_a_row(void **state)
{
    (void)state;
    imsat_data *data = open_with(make("test_X.bin", 0, STL, true), NULL);
    for (size_t column = 0; column < COLORS * STL * STL; column += 331)
        assert_true(im_data_value(data, 1, column) ==
                    pixel(1, column / COLORS / STL, column / COLORS % STL, column % COLORS));
    imsat_data_free(data);
}

static void batches_are_joined(void **state)
{
    (void)state;
    char first[256], second[256];
    const char *const paths[] = {first, second};
    imsat_data *data = NULL;
    imsat_error err;
    strcpy(first, make("data_batch_1.bin", 1, CIFAR, false));
    strcpy(second, make("data_batch_2.bin", 1, CIFAR, false));
    assert_ok(imsat_data_open(&data, paths, 2, NULL, &err), &err);
    assert_int_equal(imsat_data_rows(data), 2 * RECORDS);
    const int32_t expected[] = {1, 11, 1, 11};
    assert_memory_equal(imsat_data_labels(data), expected, sizeof expected);
    imsat_data_free(data);
}

static void assert_labels(const char *path, int32_t first)
{
    int32_t *labels = NULL;
    size_t n = 0;
    imsat_error err;
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, RECORDS);
    for (int32_t i = 0; i < RECORDS; i++)
        assert_int_equal(labels[i], 10 * i + first);
    imsat_free(labels);
}

static void labels_by_themselves(void **state)
{
    (void)state;
    assert_labels(make("test_batch.bin", 1, CIFAR, false), 1);
    assert_labels(make("test.bin", 2, CIFAR, false), 2);
    assert_labels(make("test_y.bin", 1, 0, false), 1);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    assert_unreadable(make("test_batch.bin", 0, CIFAR, false),
                      "a file of cifar-10, records of 3073 bytes each; but it has 6144 bytes");
    assert_unreadable(make("train_X.bin", 1, STL, true), "records of 27648 bytes");
    assert_unreadable_with(make("test.bin", 2, CIFAR, false), "label", IMSAT_EINVAL,
                           "no labels 'label' in a file of cifar-100; it has coarse and fine");
    assert_unreadable_with(make("train_X.bin", 0, STL, true), "label", IMSAT_EINVAL,
                           "it has none");
    assert_unreadable(make("other.bin", 1, CIFAR, false), "a format that is not known");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, make("test.bin", 2, CIFAR, false));
    assert_true(fail_each_open(path) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_come_together),
        cmocka_unit_test(any_part_of_a_row),
        cmocka_unit_test(batches_are_joined),
        cmocka_unit_test(labels_by_themselves),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("planes", tests, folder_setup, folder_teardown);
}
