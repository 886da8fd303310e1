/* SPDX-License-Identifier: MIT
 * HDF5: datasets that are refused, compressed files, damage, and rows by several threads at
 * once. (What h5py writes is in test_peer_files.c.) tsan: threads_share_a_dataset. */
#define _GNU_SOURCE
#include "data/hdf5.h"

#include "data/dataset.h"
#include "data_files.h"
#include "imsat/process.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 7, DIM = 3, MOST = 16384, THREADS = 3, ROUNDS = 50 };

#define KEPT IMSAT_SOURCE "/tests/data/"

/* As make.py wrote them. */
static float value(size_t i)
{
    return (float)i / 4 - 2;
}

static void assert_floats(const imsat_data *data)
{
    float expected[ROWS * DIM];
    for (size_t i = 0; i < ROWS * DIM; i++)
        expected[i] = value(i);
    assert_rows(data, expected, ROWS, DIM);
}

#if IM_HAVE_HDF5

static void what_is_no_data_is_refused(void **state)
{
    (void)state;
    assert_unreadable(KEPT "refused.h5:gaps", "of its 3 chunks only 1 were ever written");
    assert_unreadable(KEPT "refused.h5:large", "of its 2 chunks only 0 were ever written");
    assert_unreadable(KEPT "refused.h5:never", "has 0 bytes in the file for 21 values");
    assert_unreadable(KEPT "refused.h5:empty", "holds nothing: its shape is (0, 3)");
    assert_unreadable_with(KEPT "refused.h5:scalar", NULL, IMSAT_EINVAL,
                           "there is no dataset 'scalar' inside; there is empty, gaps");
    assert_unreadable_with(KEPT "refused.h5", NULL, IMSAT_EINVAL, "holds 4 datasets");
    assert_unreadable_with(KEPT "several.h5:linked", NULL, IMSAT_EINVAL,
                           "there is no dataset 'linked'");
}

static void a_compressed_file_is_copied_and_read(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = read_file(KEPT "several.h5", bytes, sizeof bytes);
    const char *path = file_gzip("x.h5.gz", bytes, size);
    imsat_set_temporary_folder(in_folder("."));
    const size_t before = folder_count();
    imsat_data *data = open_with(path, NULL);
    assert_int_equal(folder_count(), before);
    assert_floats(data);
    assert_true(im_data_value(data, 3, 2) == (double)value(11));
    imsat_data_free(data);
    imsat_set_temporary_folder(NULL);
}

static void a_cut_file_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = read_file(KEPT "several.h5", bytes, sizeof bytes);
    for (size_t cut = 8; cut < size; cut += 997)
        assert_unreadable(file_put("x.h5", bytes, cut), "libhdf5 cannot open it");
}

/* A chunk whose compressed bytes were changed. */
static void a_damaged_chunk_is_noticed(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = read_file(KEPT "chunks.h5", bytes, sizeof bytes);
    size_t changed = 0;
    for (size_t i = 1024; i + 1 < size; i++)
        if (bytes[i] == 0x78 && bytes[i + 1] == 0x5e) { /* zlib's first bytes */
            bytes[i + 5] ^= 0xff;
            changed++;
        }
    assert_true(changed > 0);
    assert_unreadable(file_put("x.h5", bytes, size), "(from 0) cannot be read: it is damaged");
}

/* Rows that libhdf5 reads, of a file that is cut when it is open. */
static void a_file_that_becomes_shorter_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = read_file(KEPT "chunks.h5", bytes, sizeof bytes);
    const char *path = file_put("x.h5", bytes, size);
    float x[ROWS * DIM];
    imsat_error err;
    imsat_data *data = open_with(path, NULL);
    assert_int_equal(data->blocks[0].kind, IM_BLOCK_SOURCE);
    assert_ok(imsat_data_read(data, 0, ROWS, x, &err), &err);
    assert_int_equal(truncate(path, 100), 0);
    assert_refused(imsat_data_read(data, 0, ROWS, x, &err), &err, IMSAT_EIO,
                   "x.h5: became shorter while it was read: 100 bytes are left of");
    imsat_data_free(data);
}

static void a_row_takes_no_more_than_it_may(void **state)
{
    (void)state;
    imsat_set_max_unpacked(8);
    assert_unreadable_with(KEPT "chunks.h5", NULL, IMSAT_ENOMEM, "--max-unpacked");
    imsat_set_max_unpacked(0);
}

static void *read_rows(void *context)
{
    const imsat_data *data = context;
    float row[DIM];
    size_t wrong = 0;
    for (size_t k = 0; k < ROUNDS * ROWS; k++) {
        im_data_row(row, data, k % ROWS);
        for (size_t j = 0; j < DIM; j++)
            wrong += row[j] != value(k % ROWS * DIM + j);
    }
    return wrong ? context : NULL;
}

static void threads_share_a_dataset(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    imsat_data *data = open_with(KEPT "several.h5", NULL);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_rows, data), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    imsat_data_free(data);
}

/* Images of MATLAB 7.3: the last dimension counts them, as in test_mat.c. */
static void images_of_matlab(void **state)
{
    (void)state;
    enum { IMAGE = 24 };
    float expected[ROWS * IMAGE];
    for (size_t i = 0; i < ROWS * IMAGE; i++)
        expected[i] = (float)i;
    imsat_data *data = open_with(KEPT "several73.mat:images", "y");
    assert_rows(data, expected, ROWS, IMAGE);
    const imsat_image image = imsat_data_image(data);
    assert_true(image.height == 2 && image.width == 3 && image.channels == 4);
    for (int32_t i = 0; i < ROWS; i++)
        assert_int_equal(imsat_data_labels(data)[i], i * i % 5);
    imsat_data_free(data);
}

static void variables_of_matlab_that_are_no_numbers(void **state)
{
    (void)state;
    assert_unreadable(KEPT "several73.mat:text", "the variable 'text' is of class char");
    assert_unreadable(KEPT "several73.mat:empty", "the variable 'empty' is empty, of class");
    assert_unreadable(KEPT "several73.mat:complex",
                      "the variable 'complex' is complex or has");
    assert_unreadable_with(KEPT "several73.mat", "text", IMSAT_EFORMAT, "is of class char");
    assert_unreadable_with(
        KEPT "several73.mat:q", NULL, IMSAT_EINVAL,
        "there is no variable 'q' inside; there is images, odd, sparse, x, y");
}

static void variables_of_matlab_take_no_more_than_they_may(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    imsat_set_max_unpacked(100);
    assert_unreadable_with(KEPT "several73.mat", NULL, IMSAT_ENOMEM, "--max-unpacked");
    imsat_set_max_unpacked(0);
    const size_t size = read_file(KEPT "several73.mat", bytes, sizeof bytes);
    imsat_data *data = open_with(file_gzip("x.mat.gz", bytes, size), NULL);
    assert_floats(data);
    imsat_data_free(data);
}

/* A byte of several.h5 with which libhdf5 1.10.8 reads where there is no memory. What another
 * one makes of it does not matter, as long as this process goes on. */
static void a_file_that_crashes_libhdf5_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = read_file(KEPT "several.h5", bytes, sizeof bytes);
    imsat_data *data = NULL;
    imsat_error err;
    imsat_try_files();
    assert_int_equal(bytes[12296], 0xff);
    bytes[12296] = 0xc2;
    const char *path = file_put("x.h5", bytes, size);
    if (imsat_data_open(&data, &path, 1, NULL, &err) != IMSAT_OK)
        assert_message(&err, path, "");
    imsat_data_free(data);
    data = open_with(KEPT "several.h5", NULL);
    assert_floats(data);
    imsat_data_free(data);
}

static void labels_of_another_dataset(void **state)
{
    (void)state;
    imsat_data *data = open_with(KEPT "several.h5:group/big", "y");
    assert_floats(data);
    for (int32_t i = 0; i < ROWS; i++)
        assert_int_equal(imsat_data_labels(data)[i], i * i % 5);
    imsat_data_free(data);
}

#else

static void the_package_is_named(void **state)
{
    (void)state;
    assert_unreadable_with(KEPT "plain.h5", NULL, IMSAT_EIO, "install libhdf5-dev");
    (void)assert_floats;
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if IM_HAVE_HDF5
        cmocka_unit_test(what_is_no_data_is_refused),
        cmocka_unit_test(a_compressed_file_is_copied_and_read),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(a_damaged_chunk_is_noticed),
        cmocka_unit_test(a_file_that_becomes_shorter_is_refused),
        cmocka_unit_test(a_row_takes_no_more_than_it_may),
        cmocka_unit_test(threads_share_a_dataset),
        cmocka_unit_test(labels_of_another_dataset),
        cmocka_unit_test(images_of_matlab),
        cmocka_unit_test(variables_of_matlab_that_are_no_numbers),
        cmocka_unit_test(variables_of_matlab_take_no_more_than_they_may),
        cmocka_unit_test(a_file_that_crashes_libhdf5_is_refused),
#else
        cmocka_unit_test(the_package_is_named),
#endif
    };
    return cmocka_run_group_tests_name("hdf5", tests, folder_setup, folder_teardown);
}
