/* SPDX-License-Identifier: MIT
 * Index files: what is saved comes back; whatever was changed in the file is found. */
#define _POSIX_C_SOURCE 200809L
#include "search/index_file.h"

#include "core/alloc.h"
#include "core/lock.h"
#include "core/rng.h"
#include "data/seal.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "search/index_build.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
}

/* A file that says all that an index says, with one entry changed, or left out (NULL), under
 * the old checksum or the right one. */
static const char *file_with_sum(const char *key, const char *value, bool right)
{
    im_safetensors file = {0}, changed = {0};
    imsat_error err;
    static unsigned char bytes[MOST];
    saved_bytes(bytes, FEW, 11);
    assert_ok(im_safetensors_read(&file, in_folder("index"), &err), &err);
    for (size_t i = 0; i < file.entries; i++)
        if (value || strcmp(file.keys[i], key) != 0)
            assert_ok(im_safetensors_set(&changed, file.keys[i], file.values[i], &err), &err);
    if (value)
        assert_ok(im_safetensors_set(&changed, key, value, &err), &err);
    for (size_t i = 0; i < file.count; i++)
        assert_ok(im_safetensors_add(&changed, file.tensors[i].name, file.tensors[i].type,
                                     file.tensors[i].data, file.tensors[i].dims,
                                     file.tensors[i].shape, &err),
                  &err);
    if (right)
        assert_ok(im_seal_set(&changed, &err), &err);
    assert_ok(im_safetensors_write(&changed, in_folder("changed"), &err), &err);
    im_safetensors_clear(&changed);
    im_safetensors_clear(&file);
    return in_folder("changed");
}

static const char *file_with(const char *key, const char *value)
{
    return file_with_sum(key, value, false);
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
    assert_not_opened(file_with("note", "x"), "10 entries of metadata, not");
    assert_not_opened(file_with("largest_id", "many"), "\"largest_id\" is \"many\"");
    assert_not_opened(file_with("checksum", "x"), "not x");
    assert_not_opened(file_text("text", "not an index, but long enough to be one"),
                      "not a safetensors file");
    assert_refused(imsat_index_open(&index, in_folder("none"), &err), &err, IMSAT_EIO,
                   "No such file");
}

static void the_largest_id_is_checked(void **state)
{
    (void)state;
    imsat_index *index = NULL;
    imsat_error err;
    assert_not_opened(file_with_sum("largest_id", "-33", true),
                      "the largest id is said to be -33, and is -32");
    assert_ok(imsat_index_open(&index, file_with_sum("largest_id", "-32", true), &err), &err);
    imsat_index_free(index);
}

/* Of before, when files did not state their largest id. */
static void an_older_file_is_opened(void **state)
{
    (void)state;
    imsat_index *index = NULL, *made = make_index(FEW, 11);
    imsat_error err;
    const char *path = file_with_sum("largest_id", NULL, true);
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_same(made, index);
    im_index_front front = {0};
    im_bytes bytes = {0};
    assert_ok(im_bytes_open(&bytes, path, &err), &err);
    assert_ok(im_index_front_open(&front, &bytes, path, &err), &err);
    assert_int_equal(front.base.largest, -32);
    im_index_front_clear(&front);
    imsat_index_free(index);
    imsat_index_free(made);
}

/* ---- with a journal -------------------------------------------------------- */

enum { ADDED = 3 };
static const uint64_t added[ADDED] = {0xe0ff, 0x40, 0x8001}; /* words of 11 bits */
static const int64_t added_ids[ADDED] = {70, -51, 71};

/* The bytes of a file with a record behind the base; *base of these are of the base. */
static size_t journal_bytes(unsigned char *bytes, size_t *base)
{
    imsat_error err;
    *base = saved_bytes(bytes, FEW, 11);
    const int fd = open(in_folder("index"), O_RDWR);
    im_journal_state at = {11, *base, *base, FEW, -32};
    assert_ok(im_journal_append(&at, fd, added, added_ids, ADDED, "index", &err), &err);
    close(fd);
    return read_file(in_folder("index"), bytes, MOST);
}

static void assert_opened(const char *path, size_t tail)
{
    imsat_index *index = NULL, *base = make_index(FEW, 11), *expected = NULL;
    imsat_error err;
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_same(base, index);
    assert_int_equal(imsat_index_journal_rows(index), tail);
    if (tail) {
        assert_ok(im_index_build(&expected, added, added_ids, ADDED, 11, &err), &err);
        assert_same(expected, index->tail);
    }
    imsat_index_free(expected);
    imsat_index_free(base);
    imsat_index_free(index);
}

static void a_journal_is_the_tail(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    size_t base;
    const size_t size = journal_bytes(bytes, &base);
    assert_int_equal(base % 64, 0);
    assert_opened(in_folder("index"), ADDED);
    assert_opened(file_gzip("zipped", bytes, size), ADDED);
    for (size_t cut = base; cut < size; cut += 13)
        assert_opened(file_put("cut", bytes, cut), 0);
    for (size_t i = base; i < size; i += 11) {
        bytes[i] ^= 1;
        assert_not_opened(file_put("flipped", bytes, size), "append 1 since");
        assert_not_opened(file_gzip("zipped", bytes, size), "append 1 since");
        bytes[i] ^= 1;
    }
}

/* Rows under checksums that are right, and that no search may get to see. */
static void rows_of_a_journal_are_checked(void **state)
{
    (void)state;
    imsat_error err;
    static unsigned char bytes[MOST];
    const uint64_t behind[2] = {0x40, 0x1001}; /* a bit behind the 11th */
    const size_t base = saved_bytes(bytes, FEW, 11);
    im_journal_state at = {11, base, base, FEW, -32};
    const int fd = open(in_folder("index"), O_RDWR);
    assert_ok(im_journal_append(&at, fd, behind, added_ids, 2, "index", &err), &err);
    assert_not_opened(in_folder("index"), "has a bit set behind its last one");
    at = (im_journal_state){11, base, base, FEW, -32};
    assert_ok(im_journal_append(&at, fd, added, (int64_t[]){5, 5, 6}, 3, "index", &err), &err);
    assert_not_opened(in_folder("index"), "the id 5 is given twice");
    close(fd);
}

/* Tensors that must be moved to be aligned: what follows them is not a journal of ours. */
static void only_our_layout_has_a_journal(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    size_t size = saved_bytes(bytes, FEW, 11);
    uint64_t header;
    memcpy(&header, bytes, 8);
    memmove(bytes + 8 + header + 1, bytes + 8 + header, size - 8 - header);
    bytes[8 + header++] = ' ';
    memcpy(bytes, &header, 8);
    size++;
    assert_opened(file_put("moved", bytes, size), 0);
    assert_not_opened(file_put("moved", bytes, size + 3), "3 bytes follow the last tensor");
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

static void a_busy_file_is_not_replaced(void **state)
{
    (void)state;
    static unsigned char bytes[MOST], after[MOST];
    const size_t size = saved_bytes(bytes, FEW, 11);
    imsat_index *index = make_index(MANY, 16);
    imsat_error err;
    int lock = -1;
    assert_ok(im_lock_take(&lock, in_folder("index"), IM_LOCK_CHANGE, &err), &err);
    assert_refused(imsat_index_save(index, in_folder("index"), &err), &err, IMSAT_EBUSY,
                   "index: is being changed by another process");
    assert_int_equal(read_file(in_folder("index"), after, MOST), size);
    assert_memory_equal(bytes, after, size);
    im_lock_drop(lock);
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
}

static imsat_status save_and_open(void *made, imsat_error *err)
{
    imsat_index *again = NULL;
    imsat_status st = imsat_index_save(made, in_folder("index"), err);
    if (st == IMSAT_OK)
        st = imsat_index_open(&again, in_folder("index"), err);
    imsat_index_free(again);
    again = NULL;
    if (st == IMSAT_OK)
        st = imsat_index_open(&again, in_folder("long"), err);
    assert_true((st == IMSAT_OK) == (again != NULL));
    imsat_index_free(again);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static unsigned char bytes[MOST];
    size_t base;
    const size_t size = journal_bytes(bytes, &base);
    file_put("long", bytes, size);
    imsat_index *index = make_index(FEW, 11);
    assert_true(fail_each(save_and_open, index) > 50);
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
        cmocka_unit_test(the_largest_id_is_checked),
        cmocka_unit_test(an_older_file_is_opened),
        cmocka_unit_test(a_journal_is_the_tail),
        cmocka_unit_test(rows_of_a_journal_are_checked),
        cmocka_unit_test(only_our_layout_has_a_journal),
        cmocka_unit_test(arrays_are_checked_behind_the_checksum),
        cmocka_unit_test(a_failed_save_leaves_the_old_file),
        cmocka_unit_test(a_busy_file_is_not_replaced),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
