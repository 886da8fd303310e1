/* SPDX-License-Identifier: MIT
 * npz: which array is the data and which its labels, and archives that are refused. (What
 * numpy writes is in test_peer_files.c.) */
#include "data/dataset.h"
#include "data_files.h"
#include "imsat/process.h"
#include "zips.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4, DIM = 3 };

static const float EXPECTED[ROWS * DIM] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* The bytes 0, 1, 2, ... of a shape. */
static void add_array(zip_maker *zip, const char *name, const char *shape, size_t size,
                      bool deflated)
{
    unsigned char bytes[256], counted[64];
    char header[128];
    for (size_t i = 0; i < size; i++)
        counted[i] = (unsigned char)i;
    snprintf(header, sizeof header, "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }",
             shape);
    zip_add(zip, name, bytes, npy_bytes(bytes, 1, header, counted, size), deflated);
}

/* An archive of arrays: "x y" are x, of ROWS rows, and y, as it is in `shape`. */
static const char *make(const char *names, const char *shape, size_t size)
{
    static zip_maker zip;
    char word[32], name[40];
    zip = (zip_maker){0};
    for (const char *at = names; *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", length, at);
        snprintf(name, sizeof name, "%s.npy", word);
        const bool data = strchr("xXdiab", *word) && !strchr(word, 'y');
        add_array(&zip, name, data ? "(4, 3)" : shape, data ? ROWS * DIM : size, *at == 'd');
        at += length;
    }
    zip_add(&zip, "readme.txt", "no array", 8, false);
    zip_end(&zip, false);
    return file_put("x.npz", zip.bytes, zip.size);
}

static const char *inside(const char *path, const char *name)
{
    static char whole[512];
    snprintf(whole, sizeof whole, "%s:%s", path, name);
    return whole;
}

static void assert_data(const char *path, const char *label_column, bool labels)
{
    imsat_data *data = open_with(path, label_column);
    assert_rows(data, EXPECTED, ROWS, DIM);
    assert_int_equal(imsat_data_labels(data) != NULL, labels);
    for (int32_t i = 0; labels && i < ROWS; i++)
        assert_int_equal(imsat_data_labels(data)[i], i);
    imsat_data_free(data);
}

static void labels_are_beside_the_data(void **state)
{
    (void)state;
    static const char *const pairs[] = {"x y",         "X y",           "data labels",
                                        "data target", "images labels", "y x",
                                        "x_a y_a",     "a_x a_y",       "i x y"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_data(make(pairs[i], "(4,)", 4), NULL, true);
    assert_data(make("x y", "(4, 1)", 4), NULL, true);
    assert_data(inside(make("x_a y_a x_b y_b", "(4,)", 4), "x_b"), NULL, true);
    assert_data(inside(make("a b c", "(4,)", 4), "b"), "c", true);
}

/* By name they would be labels, but they are not one for each row. */
static void what_cannot_be_labels_is_not(void **state)
{
    (void)state;
    assert_data(make("x y", "(5,)", 5), NULL, false);
    assert_data(make("x y", "(2, 2)", 4), NULL, false);
    assert_unreadable_with(make("x y", "(5,)", 5), "y", IMSAT_EMISMATCH,
                           "5 labels in 'y' for 4 rows");
    assert_unreadable_with(make("x y", "(2, 2)", 4), "y", IMSAT_EFORMAT,
                           "labels need one column");
}

static void names_are_listed_where_one_is_needed(void **state)
{
    (void)state;
    assert_unreadable_with(make("a b", "", 0), NULL, IMSAT_EINVAL,
                           "holds 2 arrays; say which one by FILE:NAME: a, b");
    assert_unreadable_with(make("x_a y_a x_b y_b", "(4,)", 4), NULL, IMSAT_EINVAL,
                           "holds 4 arrays");
    assert_unreadable_with(inside(make("a b", "", 0), "q"), NULL, IMSAT_EINVAL,
                           "there is no array 'q' inside; there is a, b");
    assert_unreadable_with(make("x", "", 0), "y", IMSAT_EINVAL, "there is no array 'y'");
    assert_unreadable(make("", "", 0), "holds no array");
}

/* An archive that is compressed itself, and one array that is. */
static void compressed_twice(void **state)
{
    (void)state;
    static unsigned char bytes[4096];
    const size_t size = read_file(make("data labels", "(4,)", 4), bytes, sizeof bytes);
    assert_data(file_gzip("x.npz.gz", bytes, size), NULL, true);
    imsat_set_max_unpacked(60);
    assert_unreadable_with(make("data", "", 0), NULL, IMSAT_ENOMEM, "raise that by --max-");
    imsat_set_max_unpacked(0);
}

static void the_map_is_kept_and_given_back(void **state)
{
    (void)state;
    imsat_data *data = open_with(make("i", "", 0), NULL);
    const im_block *block = &data->blocks[0];
    assert_non_null(block->bytes.mapped);
    assert_true(block->bytes.data > im_map_data(block->bytes.mapped));
    im_data_release(data, 0, ROWS);
    assert_rows(data, EXPECTED, ROWS, DIM);
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", make("data labels", "(4,)", 4));
    assert_true(fail_each_open(path) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_beside_the_data),
        cmocka_unit_test(what_cannot_be_labels_is_not),
        cmocka_unit_test(names_are_listed_where_one_is_needed),
        cmocka_unit_test(compressed_twice),
        cmocka_unit_test(the_map_is_kept_and_given_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("npz", tests, folder_setup, folder_teardown);
}
