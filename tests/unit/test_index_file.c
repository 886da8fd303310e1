/* SPDX-License-Identifier: MIT
 * Index files: what is saved comes back; whatever was changed in the file is found. */
#include "search/index.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "data/safetensors.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <string.h>

enum { FEW = 7, MANY = 413, MOST = 1 << 16 };

/* An index of random codes; ids are 3 i - 50. */
static imsat_index *make_index(size_t rows, size_t bits)
{
    static uint8_t bytes[MANY * 8];
    static int64_t ids[MANY];
    const size_t width = imsat_code_bytes(bits);
    const im_rng rng = {7, IM_STREAM_INIT, 0, 0};
    imsat_codes codes = {bytes, rows, bits};
    imsat_index *index = NULL;
    imsat_error err;
    for (size_t i = 0; i < rows; i++) {
        uint32_t words[4];
        im_rng_block(words, rng, (uint32_t)i, 0);
        memcpy(bytes + i * width, words, width);
        if (bits % 8)
            bytes[(i + 1) * width - 1] &= (uint8_t)(0xff00 >> bits % 8);
        ids[i] = 3 * (int64_t)i - 50;
    }
    assert_ok(imsat_index_new(&index, &codes, ids, &err), &err);
    return index;
}

static void assert_same(const imsat_index *a, const imsat_index *b)
{
    im_index_array one[IM_INDEX_ARRAYS], two[IM_INDEX_ARRAYS];
    im_index_arrays(one, a);
    im_index_arrays(two, b);
    assert_int_equal(a->bits, b->bits);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->distinct, b->distinct);
    assert_int_equal(a->tables, b->tables);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++) {
        assert_int_equal(one[i].count, two[i].count);
        if (one[i].count)
            assert_memory_equal(one[i].data, two[i].data, one[i].count * one[i].size);
        assert_int_equal(one[i].count ? (uintptr_t)two[i].data % 64 : 0, 0);
    }
}

static void what_is_saved_comes_back(void **state)
{
    (void)state;
    static const struct {
        size_t rows, bits;
    } cases[] = {{1, 1}, {FEW, 11}, {MANY, 16}, {MANY, 61}};
    const char *path = in_folder("index");
    imsat_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_index *index = make_index(cases[i].rows, cases[i].bits), *again = NULL;
        assert_int_equal(index->tables > 0, cases[i].rows == MANY);
        assert_ok(imsat_index_save(index, path, &err), &err);
        assert_ok(imsat_index_open(&again, path, &err), &err);
        assert_same(index, again);
        imsat_index_free(again);
        imsat_index_free(index);
    }
}

static void an_empty_index_comes_back(void **state)
{
    (void)state;
    const int64_t ids[2] = {-50, -47};
    imsat_index *index = make_index(2, 16), *empty = NULL, *again = NULL;
    imsat_error err;
    assert_ok(imsat_index_delete(&empty, index, ids, 2, &err), &err);
    assert_ok(imsat_index_save(empty, in_folder("index"), &err), &err);
    assert_ok(imsat_index_open(&again, in_folder("index"), &err), &err);
    assert_int_equal(imsat_index_rows(again), 0);
    imsat_index_free(again);
    imsat_index_free(empty);
    imsat_index_free(index);
}

/* What has a tail is saved in one part. */
static void a_tail_is_merged(void **state)
{
    (void)state;
    imsat_index *whole = make_index(MANY, 61), *parts = NULL, *again = NULL;
    const int64_t gone[] = {-50, 100, 1000};
    imsat_error err;
    assert_ok(imsat_index_delete(&parts, whole, gone, 3, &err), &err);
    uint8_t bytes[3 * 8];
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < whole->distinct; c++)
            if (whole->ids[whole->first[c]] == gone[i])
                memcpy(bytes + 8 * i, whole->codes + c, 8);
    assert_ok(imsat_index_new(&parts->tail, &(imsat_codes){bytes, 3, 61}, gone, &err), &err);
    assert_ok(imsat_index_save(parts, in_folder("index"), &err), &err);
    assert_ok(imsat_index_open(&again, in_folder("index"), &err), &err);
    assert_same(whole, again);
    imsat_index_free(again);
    imsat_index_free(parts);
    imsat_index_free(whole);
}

/* The bytes of an index file; returns how many. */
static size_t saved_bytes(unsigned char *bytes, size_t rows, size_t bits)
{
    imsat_index *index = make_index(rows, bits);
    imsat_error err;
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
    const size_t size = read_file(in_folder("index"), bytes, MOST);
    assert_true(size < MOST);
    return size;
}

static void assert_not_opened(const char *path, const char *part)
{
    imsat_index *index = NULL;
    imsat_error err;
    assert_refused(imsat_index_open(&index, path, &err), &err, IMSAT_EFORMAT, part);
    assert_null(index);
    assert_message(&err, path, "codes");
}

/* One bit in every byte, another one in the next. */
static void a_flipped_bit_is_found_in_every_byte(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = saved_bytes(bytes, FEW, 11);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (unsigned char)(1U << i % 8);
        assert_not_opened(file_put("flipped", bytes, size), "flipped: ");
        bytes[i] ^= (unsigned char)(1U << i % 8);
    }
}

/* A prime step: all arrays, and all places within an element. */
static void flipped_bytes_of_a_larger_one_are_found(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = saved_bytes(bytes, MANY, 16);
    for (size_t i = 0; i < size; i += 61) {
        bytes[i] ^= 0xff;
        assert_not_opened(file_put("flipped", bytes, size), "flipped: ");
        bytes[i] ^= 0xff;
    }
}

static void every_cut_is_found(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    const size_t size = saved_bytes(bytes, FEW, 11);
    for (size_t cut = 0; cut < size; cut++)
        assert_not_opened(file_put("cut", bytes, cut), "cut: ");
    assert_not_opened(file_put("long", bytes, size + 1), "1 bytes follow");
}

/* A file that says all that an index says, with one entry changed. */
static const char *file_with(const char *key, const char *value)
{
    im_safetensors file = {0}, changed = {0};
    imsat_error err;
    static unsigned char bytes[MOST];
    saved_bytes(bytes, FEW, 11);
    assert_ok(im_safetensors_read(&file, in_folder("index"), &err), &err);
    for (size_t i = 0; i < file.entries; i++)
        assert_ok(im_safetensors_set(&changed, file.keys[i], file.values[i], &err), &err);
    assert_ok(im_safetensors_set(&changed, key, value, &err), &err);
    for (size_t i = 0; i < file.count; i++)
        assert_ok(im_safetensors_add(&changed, file.tensors[i].name, file.tensors[i].type,
                                     file.tensors[i].data, file.tensors[i].dims,
                                     file.tensors[i].shape, &err),
                  &err);
    assert_ok(im_safetensors_write(&changed, in_folder("changed"), &err), &err);
    im_safetensors_clear(&changed);
    im_safetensors_clear(&file);
    return in_folder("changed");
}

static void other_files_are_refused(void **state)
{
    (void)state;
    imsat_index *index = NULL;
    imsat_error err;
    assert_not_opened(file_with("format", "imsat-index-2"),
                      "has the format imsat-index-2 of imsat " IMSAT_VERSION);
    assert_not_opened(file_with("format", "imsat-model-1"),
                      "is not an index (its format is imsat-model-1)");
    assert_not_opened(file_with("bit_order", "lsb"), "must be \"msb\"");
    assert_not_opened(file_with("bits", "many"), "not a whole number");
    assert_not_opened(file_with("bits", "1025"), "codes of 1025 bits");
    assert_not_opened(file_with("bits", "12"), "bytes are not those that were written");
    assert_not_opened(file_with("rows", "9"), "tensor 'ids' is I64 (7), and must be I64 (9)");
    assert_not_opened(file_with("rows", "18446744073709551615"), "not possible");
    assert_not_opened(file_with("version", "9"), "bytes are not those that were written");
    assert_not_opened(file_with("note", "x"), "9 entries of metadata, not");
    assert_not_opened(file_with("checksum", "x"), "not x");
    assert_not_opened(file_text("text", "not an index, but long enough to be one"),
                      "not a safetensors file");
    assert_refused(imsat_index_open(&index, in_folder("none"), &err), &err, IMSAT_EIO,
                   "No such file");
}

/* Arrays that would make a search read elsewhere, under a checksum that is right. */
static void arrays_are_checked_behind_the_checksum(void **state)
{
    (void)state;
    imsat_index *index = make_index(MANY, 16);
    im_index_array arrays[IM_INDEX_ARRAYS];
    const void *data[IM_INDEX_ARRAYS];
    imsat_error err;
    im_index_arrays(arrays, index);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++)
        data[i] = arrays[i].data;
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++) {
        const size_t size = arrays[i].count * arrays[i].size;
        unsigned char *bent = im_alloc(size, 1);
        imsat_index changed = *index;
        assert_non_null(bent);
        memcpy(bent, arrays[i].data, size);
        memset(bent + size / 2 / arrays[i].size * arrays[i].size, 0xee, arrays[i].size);
        data[i] = bent;
        im_index_place(&changed, data);
        assert_ok(imsat_index_save(&changed, in_folder("bent"), &err), &err);
        if (strcmp(arrays[i].name, "ids") == 0) { /* one id is as good as another */
            imsat_index *again = NULL;
            assert_ok(imsat_index_open(&again, in_folder("bent"), &err), &err);
            imsat_index_free(again);
        } else {
            assert_not_opened(in_folder("bent"), "bent: ");
        }
        data[i] = arrays[i].data;
        im_free(bent);
    }
    imsat_index_free(index);
}

static void a_failed_save_leaves_the_old_file(void **state)
{
    (void)state;
    static unsigned char bytes[MOST], after[MOST];
    const size_t size = saved_bytes(bytes, FEW, 11), before = folder_count();
    imsat_index *index = make_index(MANY, 16);
    imsat_error err;
    failing_alloc_arm(5);
    assert_int_equal(imsat_index_save(index, in_folder("index"), &err), IMSAT_ENOMEM);
    failing_alloc_arm(0);
    assert_refused(imsat_index_save(index, in_folder("no/folder"), &err), &err, IMSAT_EIO,
                   "cannot be written");
    assert_int_equal(read_file(in_folder("index"), after, MOST), size);
    assert_memory_equal(bytes, after, size);
    assert_int_equal(folder_count(), before);
    imsat_index_free(index);
}

static imsat_status save_and_open(void *made, imsat_error *err)
{
    imsat_index *again = NULL;
    imsat_status st = imsat_index_save(made, in_folder("index"), err);
    if (st == IMSAT_OK)
        st = imsat_index_open(&again, in_folder("index"), err);
    assert_true((st == IMSAT_OK) == (again != NULL));
    imsat_index_free(again);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_index *index = make_index(FEW, 11);
    assert_true(fail_each(save_and_open, index) > 20);
    imsat_index_free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(an_empty_index_comes_back),
        cmocka_unit_test(a_tail_is_merged),
        cmocka_unit_test(a_flipped_bit_is_found_in_every_byte),
        cmocka_unit_test(flipped_bytes_of_a_larger_one_are_found),
        cmocka_unit_test(every_cut_is_found),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(arrays_are_checked_behind_the_checksum),
        cmocka_unit_test(a_failed_save_leaves_the_old_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
