/* SPDX-License-Identifier: MIT
 * Which reader takes a file: contents first, then the name. */
#include "data/reader.h"
#include "data_files.h"
#include "imsat/process.h"
#include "imsat/search.h"
#include "process.h"

#include <stdio.h>
#include <string.h>

static void contents_come_before_names(void **state)
{
    (void)state;
    static const unsigned char npy[] = "\x93NUMPY\1\0", idx[] = {0, 0, 8, 1, 0, 0, 0, 1, 5};
    static const unsigned char text[] = "1,2\n", binary[] = "ab\0cd";
    static const struct {
        const char *path;
        const unsigned char *bytes;
        size_t size;
        const im_reader *reader;
    } cases[] = {
        {"x.npy", npy, 8, &im_npy_reader},
        {"x.csv", npy, 8, &im_npy_reader},
        {"x.idx", npy, 8, &im_npy_reader},
        {"x.npy", idx, 9, &im_idx_reader},
        {"x", idx, 9, &im_idx_reader},
        {"x.csv", text, 4, &im_csv_reader},
        {"x", text, 4, &im_csv_reader},
        {"x.npy", text, 4, &im_npy_reader},
        {"X.NPY.GZ", text, 4, &im_npy_reader},
        {"a-idx3-ubyte", text, 4, &im_idx_reader},
        {"idx/x.txt", text, 4, &im_csv_reader},
        {"idx.tsv", text, 4, &im_csv_reader},
        {"x.csv", binary, 5, NULL},
        {"x.bin", binary, 5, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const im_bytes bytes = {.data = cases[i].bytes, .size = cases[i].size};
        const im_reader *reader = NULL;
        imsat_error err = {{0}};
        const imsat_status st = im_reader_find(&reader, cases[i].path, &bytes, &err);
        assert_int_equal(st, cases[i].reader ? IMSAT_OK : IMSAT_EFORMAT);
        assert_ptr_equal(reader, cases[i].reader);
        if (!reader)
            assert_message(&err, cases[i].path, "imsat reads .npy, ");
    }
}

static void unknown_contents_are_refused(void **state)
{
    (void)state;
    assert_unreadable(file_put("x.csv",
                               "\xff\xfe"
                               "1\0,\0",
                               6),
                      "binary data");
}

/* ---- names inside of files ------------------------------------------------------ */

static void a_name_inside_needs_a_format_that_has_some(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s:x", file_text("t.csv", "1,2\n"));
    assert_unreadable_with(path, NULL, IMSAT_EINVAL, "nothing with a name inside of");
    snprintf(path, sizeof path, "%s:x", in_folder("none.csv"));
    assert_unreadable_with(path, NULL, IMSAT_EIO, "none.csv:x: No such file");
}

/* A file whose own name has a colon. */
static void a_file_is_a_file(void **state)
{
    (void)state;
    file_text("t.csv", "1,2\n");
    imsat_data *data = open_with(file_text("t.csv:x", "3,4\n"), NULL);
    assert_rows(data, (const float[]){3, 4}, 1, 2);
    imsat_data_free(data);
}

static void the_table_has_words_for_everything(void **state)
{
    (void)state;
    size_t count = 0;
    for (const imsat_format *format; (format = imsat_format_at(count)); count++) {
        assert_true(*format->name && *format->summary && strchr(format->endings, '.'));
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(imsat_format_at(i)->name, format->name);
    }
    assert_true(count >= 3);
}

/* ---- bombs ------------------------------------------------------------------ */

/* 1 GiB when it is decompressed, 1 MiB in the file. */
enum { BLOCK = 1 << 20, BLOCKS = 1 << 10, MOST_GROWTH = 24 };

typedef struct bomb {
    const char *path, *part; /* of the message */
} bomb;

/* 0 if the file is refused as it must be and took next to no memory. */
static int open_bomb(const void *context)
{
    const bomb *b = context;
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const long before = process_peak();
    if (imsat_data_open(&data, &b->path, 1, NULL, &err) != IMSAT_EFORMAT)
        return 1;
    if (!strstr(err.message, b->path) || !strstr(err.message, b->part))
        return 2;
    return process_peak() - before < MOST_GROWTH ? 0 : 3;
}

static void a_bomb_does_not_go_off(void **state)
{
    (void)state;
    static const char zeros[BLOCK], idx[] = {0, 0, 8, 1, 0, 0, 0, 9};
    static char digits[BLOCK];
    unsigned char npy[128];
    const size_t size = npy_bytes(
        npy, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }", "", 0);
    memset(digits, '7', BLOCK);
    digits[BLOCK - 1] = '\n';
    const bomb bombs[] = {
        {file_bomb("zeros.gz", "", 0, zeros, BLOCK, BLOCKS), "binary data"},
        {file_bomb("x.npy.gz", npy, size, zeros, BLOCK, BLOCKS), "goes on after the 32 bytes"},
        {file_bomb("x.idx.gz", idx, sizeof idx, zeros, BLOCK, BLOCKS), "goes on after the 9"},
        {file_bomb("x.csv.gz", "1\n2\n", 4, digits, BLOCK, BLOCKS), "is not a number"},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++)
        if (process_run(open_bomb, &bombs[i]) != 0)
            fail_msg("%s: %d", bombs[i].path, process_run(open_bomb, &bombs[i]));
}

/* ---- what is not wanted ------------------------------------------------------- */

/* Files whose header says that they are not what is asked for, 1 GiB of it. */
static int read_unsuitable(const void *context)
{
    const char *path = context;
    imsat_error err = {{0}};
    imsat_codes codes;
    int64_t *ids;
    int32_t *labels;
    double *values;
    size_t n;
    const long before = process_peak();
    if (imsat_codes_read(&codes, &path, 1, NULL, &err) != IMSAT_EFORMAT ||
        !strstr(err.message, "codes are uint8"))
        return 1;
    if (imsat_ids_read(&ids, &n, path, &err) != IMSAT_EFORMAT ||
        !strstr(err.message, "ids are integers"))
        return 2;
    if (imsat_labels_read(&labels, &n, &path, 1, &err) != IMSAT_EFORMAT ||
        !strstr(err.message, "labels need one column"))
        return 3;
    if (imsat_vector_read(&values, &n, path, &err) != IMSAT_EFORMAT ||
        !strstr(err.message, "one row or column"))
        return 4;
    return process_peak() - before < MOST_GROWTH ? 0 : 5;
}

static void the_header_decides(void **state)
{
    (void)state;
    static const char zeros[BLOCK];
    unsigned char npy[128];
    const size_t size = npy_bytes(
        npy, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (262144, 1024), }", "", 0);
    const char *path = file_bomb("x.npy.gz", npy, size, zeros, BLOCK, BLOCKS);
    assert_int_equal(process_run(read_unsuitable, path), 0);
}

/* ---- the limit ------------------------------------------------------------------ */

enum { MOST = 8 << 20 };

typedef enum kind { DATA, LABELS, IDS, CODES, MODEL, VECTOR } kind;

static imsat_status read_as(kind what, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_EINVAL;
    imsat_data *data = NULL;
    imsat_codes codes = {0};
    imsat_model *model = NULL;
    int32_t *labels = NULL;
    int64_t *ids = NULL;
    double *values = NULL;
    size_t n;
    switch (what) {
    case DATA: st = imsat_data_open(&data, &path, 1, NULL, err); break;
    case LABELS: st = imsat_labels_read(&labels, &n, &path, 1, err); break;
    case IDS: st = imsat_ids_read(&ids, &n, path, err); break;
    case CODES: st = imsat_codes_read(&codes, &path, 1, NULL, err); break;
    case MODEL: st = imsat_model_load(&model, path, err); break;
    case VECTOR: st = imsat_vector_read(&values, &n, path, err); break;
    }
    imsat_data_free(data);
    imsat_codes_clear(&codes);
    imsat_model_free(model);
    imsat_free(labels);
    imsat_free(ids);
    imsat_free(values);
    return st;
}

typedef struct limited {
    kind what;
    const char *path;
} limited;

/* 0 if the file is refused for its size, and took no more memory than it may. */
static int read_limited(const void *context)
{
    const limited *l = context;
    imsat_error err = {{0}};
    const long before = process_peak();
    imsat_set_max_unpacked(MOST);
    if (read_as(l->what, l->path, &err) != IMSAT_ENOMEM)
        return 1;
    if (!strstr(err.message, l->path) || !strstr(err.message, "may take 8388608; "))
        return 2;
    return process_peak() - before < MOST_GROWTH ? 0 : 3;
}

/* Whole files that say of themselves, or turn out, to be too large. */
static void too_much_is_refused(void **state)
{
    (void)state;
    static const char zeros[BLOCK];
    static char ones[BLOCK], words[BLOCK];
    unsigned char floats[128], bytes[128], tensors[128];
    const size_t f = npy_bytes(
        floats, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (268435456,), }", "", 0);
    const size_t b = npy_bytes(
        bytes, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (134217728, 8), }", "",
        0);
    const char header[] = "{\"t\":{\"dtype\":\"U8\",\"shape\":[1073741824],"
                          "\"data_offsets\":[0,1073741824]}}";
    const uint64_t length = sizeof header - 1;
    memcpy(tensors, &length, 8);
    memcpy(tensors + 8, header, length);
    for (size_t i = 0; i < BLOCK; i++) {
        ones[i] = i % 2 ? '\n' : '1';
        words[i] = i % 4 == 3 ? '\n' : 'w';
    }
    const limited files[] = {
        {DATA, file_bomb("a.npy.gz", floats, f, zeros, BLOCK, BLOCKS)},
        {VECTOR, file_bomb("b.npy.gz", floats, f, zeros, BLOCK, BLOCKS)},
        {CODES, file_bomb("c.npy.gz", bytes, b, zeros, BLOCK, BLOCKS)},
        {MODEL, file_bomb("d.gz", tensors, 8 + length, zeros, BLOCK, BLOCKS)},
        {DATA, file_bomb("e.csv.gz", "", 0, ones, BLOCK, BLOCKS)},
        {VECTOR, file_bomb("f.csv.gz", "", 0, ones, BLOCK, BLOCKS)},
        {LABELS, file_bomb("g.csv.gz", "", 0, ones, BLOCK, BLOCKS)},
        {LABELS, file_bomb("h.csv.gz", "", 0, words, BLOCK, BLOCKS)},
        {IDS, file_bomb("i.txt.gz", "", 0, ones, BLOCK, BLOCKS)},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const int code = process_run(read_limited, &files[i]);
        if (code != 0)
            fail_msg("%s: %d", files[i].path, code);
    }
}

/* It can be raised, and to 0 means by the memory. */
static void the_limit_can_be_set(void **state)
{
    (void)state;
    static const char zeros[BLOCK];
    imsat_error err;
    unsigned char npy[128];
    const size_t size = npy_bytes(
        npy, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2048, 1024), }", "", 0);
    const char *path = file_bomb("x.npy.gz", npy, size, zeros, BLOCK, 2);
    imsat_set_max_unpacked(size + 2 * BLOCK - 1);
    assert_refused(read_as(DATA, path, &err), &err, IMSAT_ENOMEM, "raise that by --max-unp");
    imsat_set_max_unpacked(size + 2 * BLOCK);
    assert_ok(read_as(DATA, path, &err), &err);
    imsat_set_max_unpacked(100); /* less than the first bytes that are looked at */
    assert_refused(read_as(DATA, path, &err), &err, IMSAT_ENOMEM, "may take 100; ");
    const char *small = file_gzip("y.csv.gz", "1,2\n3,4\n", 8);
    assert_ok(read_as(DATA, small, &err), &err);
    imsat_set_max_unpacked(0);
    assert_ok(read_as(DATA, path, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_come_before_names),
        cmocka_unit_test(unknown_contents_are_refused),
        cmocka_unit_test(a_name_inside_needs_a_format_that_has_some),
        cmocka_unit_test(a_file_is_a_file),
        cmocka_unit_test(the_table_has_words_for_everything),
        cmocka_unit_test(a_bomb_does_not_go_off),
        cmocka_unit_test(the_header_decides),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(the_limit_can_be_set),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
