/* SPDX-License-Identifier: MIT
 * Exports, byte by byte, and what is refused. That the other programs read them is for
 * tests/peers to show. */
#include "imsat/search.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <string.h>

/* Three codes of 11 bits. */
static uint8_t CODES[6] = {0x80, 0x20, 0xff, 0xe0, 0x01, 0x00};
static const int64_t IDS[3] = {7, -2, INT64_C(1) << 40};

static const imsat_codes codes = {CODES, 3, 11};

/* What is written to a file; returns how much. */
static size_t export_bytes(unsigned char *bytes, size_t room, imsat_export_options options)
{
    imsat_error err;
    assert_ok(imsat_codes_export(in_folder("out"), &codes, &options, &err), &err);
    return read_file(in_folder("out"), bytes, room);
}

static void assert_text(imsat_export_options options, const char *expected)
{
    char text[512];
    const size_t size = export_bytes((unsigned char *)text, sizeof text - 1, options);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static const unsigned char FLAT[] = {
    'I', 'B', 'x', 'F', 16, 0, 0, 0, 2, 0, 0, 0, 3, 0,    0,    0,    0,    0,    0,   0,
    1,   1,   0,   0,   0,  6, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x20, 0xff, 0xe0, 0x01, 0x00};

static void faiss_without_ids_is_flat(void **state)
{
    (void)state;
    const int64_t counted[3] = {0, 1, 2};
    unsigned char bytes[256];
    assert_int_equal(export_bytes(bytes, 256, (imsat_export_options){0}), sizeof FLAT);
    assert_memory_equal(bytes, FLAT, sizeof FLAT);
    assert_int_equal(export_bytes(bytes, 256, (imsat_export_options){.ids = counted}),
                     sizeof FLAT);
    assert_memory_equal(bytes, FLAT, sizeof FLAT);
}

static void faiss_with_ids_is_a_map(void **state)
{
    (void)state;
    static const unsigned char head[25] = {'I', 'B', 'M', '2', 16, 0, 0, 0, 0, 0, 0, 0, 3,
                                           0,   0,   0,   0,   0,  0, 0, 1, 1, 0, 0, 0};
    unsigned char bytes[256];
    const uint64_t count = 3;
    const size_t size = export_bytes(bytes, 256, (imsat_export_options){.ids = IDS});
    assert_int_equal(size, 25 + sizeof FLAT + 8 + sizeof IDS);
    assert_memory_equal(bytes, head, 25);
    assert_memory_equal(bytes + 25, FLAT, sizeof FLAT);
    assert_memory_equal(bytes + 25 + sizeof FLAT, &count, 8);
    assert_memory_equal(bytes + 33 + sizeof FLAT, IDS, sizeof IDS);
}

static void bytes_are_in_the_order_asked_for(void **state)
{
    (void)state;
    static const unsigned char turned[6] = {0x01, 0x04, 0xff, 0x07, 0x80, 0x00};
    unsigned char bytes[256];
    const size_t size =
        export_bytes(bytes, 256, (imsat_export_options){.order = IMSAT_LSB_FIRST});
    assert_int_equal(size, sizeof FLAT);
    assert_memory_equal(bytes + size - 6, turned, 6);
}

static void postgres_is_text(void **state)
{
    (void)state;
    imsat_export_options options = {.format = IMSAT_EXPORT_POSTGRES};
    assert_text(options, "0\t10000000001\n1\t11111111111\n2\t00000001000\n");
    options.ids = IDS;
    options.order = IMSAT_LSB_FIRST; /* the bits have an order of their own */
    assert_text(options, "7\t10000000001\n-2\t11111111111\n1099511627776\t00000001000\n");
}

static void sqlite_is_a_script(void **state)
{
    (void)state;
    imsat_export_options options = {.format = IMSAT_EXPORT_SQLITE, .ids = IDS};
    assert_text(options,
                "BEGIN;\n"
                "CREATE TABLE \"codes\" (id INTEGER PRIMARY KEY, code BLOB NOT NULL);\n"
                "INSERT INTO \"codes\" VALUES\n(7,x'8020'),\n(-2,x'ffe0'),\n"
                "(1099511627776,x'0100');\nCOMMIT;\n");
    options = (imsat_export_options){
        .format = IMSAT_EXPORT_SQLITE, .order = IMSAT_LSB_FIRST, .table = "order"};
    assert_text(options,
                "BEGIN;\n"
                "CREATE TABLE \"order\" (id INTEGER PRIMARY KEY, code BLOB NOT NULL);\n"
                "INSERT INTO \"order\" VALUES\n(0,x'0104'),\n(1,x'ff07'),\n(2,x'8000');\n"
                "COMMIT;\n");
}

/* The widest codes, and more rows than one statement takes. */
static void scripts_end_every_statement(void **state)
{
    (void)state;
    enum { ROWS = 1001, WIDTH = 128 };
    static uint8_t many[ROWS * WIDTH];
    static char text[ROWS * 300];
    const imsat_codes wide = {many, ROWS, 8 * WIDTH};
    const imsat_export_options options = {.format = IMSAT_EXPORT_SQLITE};
    imsat_error err;
    size_t statements = 0;
    memset(many, 0xa5, sizeof many);
    assert_ok(imsat_codes_export(in_folder("out"), &wide, &options, &err), &err);
    text[read_file(in_folder("out"), text, sizeof text - 1)] = '\0';
    for (const char *at = text; (at = strstr(at, "INSERT")); at++)
        statements++;
    assert_int_equal(statements, 3);
    assert_non_null(strstr(text, "a5');\nINSERT INTO \"codes\" VALUES\n(500,x'a5"));
    assert_non_null(strstr(text, "a5');\nINSERT INTO \"codes\" VALUES\n(1000,x'a5"));
    assert_non_null(strstr(text, "a5');\nCOMMIT;\n"));
}

static void formats_have_names(void **state)
{
    (void)state;
    assert_string_equal(imsat_export_format_name(IMSAT_EXPORT_FAISS), "faiss");
    assert_string_equal(imsat_export_format_name(IMSAT_EXPORT_POSTGRES), "postgres");
    assert_string_equal(imsat_export_format_name(IMSAT_EXPORT_SQLITE), "sqlite");
    assert_null(imsat_export_format_name(IMSAT_EXPORT_FORMATS));
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",     "1st", "a b",
        "a\"b", "a;b", "a123456789012345678901234567890123456789012345678901234567890123"};
    const size_t before = folder_count();
    const char *path = in_folder("none");
    imsat_export_options options = {.format = IMSAT_EXPORT_FORMATS};
    const imsat_codes none = {CODES, 3, 0};
    imsat_error err;
    assert_refused(imsat_codes_export(path, &codes, &options, &err), &err, IMSAT_EINVAL,
                   "not a format");
    options.format = IMSAT_EXPORT_SQLITE;
    assert_refused(imsat_codes_export(path, &none, &options, &err), &err, IMSAT_EINVAL,
                   "the codes have 0 bits");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options.table = names[i];
        assert_refused(imsat_codes_export(path, &codes, &options, &err), &err, IMSAT_EINVAL,
                       "cannot be the name of a table");
    }
    options.table = NULL;
    assert_refused(imsat_codes_export(in_folder("no/folder"), &codes, &options, &err), &err,
                   IMSAT_EIO, "cannot be written");
    assert_int_equal(folder_count(), before);
}

typedef struct watch {
    size_t calls, stop_at;
    double last;
} watch;

static int count_calls(void *user, const imsat_progress *now)
{
    watch *w = user;
    assert_string_equal(now->stage, "export");
    assert_true(now->fraction > w->last && now->fraction <= 1);
    w->last = now->fraction;
    return ++w->calls == w->stop_at;
}

/* It is told of every format, and may be stopped at any call, which leaves the old file. */
static void a_watched_export_can_be_stopped(void **state)
{
    enum { ROWS = 9000 };
    static uint8_t zeros[ROWS];
    const imsat_codes many = {zeros, ROWS, 8};
    const char *path = in_folder("watched");
    imsat_error err;
    (void)state;
    for (int f = 0; f < IMSAT_EXPORT_FORMATS; f++) {
        const imsat_export_options options = {.format = (imsat_export_format)f};
        for (size_t stop_at = 1; stop_at <= 4; stop_at++) {
            watch w = {.stop_at = stop_at};
            write_file(path, "old", 3);
            const size_t entries = folder_count();
            const imsat_status st =
                imsat_codes_export_watched(path, &many, &options, count_calls, &w, &err);
            assert_int_equal(folder_count(), entries);
            assert_int_equal(w.calls, stop_at < 3 ? stop_at : 3);
            char text[4] = {0};
            read_file(path, text, 3);
            if (stop_at <= 3) {
                assert_refused(st, &err, IMSAT_ESTOPPED, "stopped after row");
                assert_string_equal(text, "old");
            } else {
                assert_ok(st, &err);
                assert_string_not_equal(text, "old");
                assert_true(w.last == 1);
            }
        }
    }
}

static imsat_status export_all(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    (void)context;
    for (int f = 0; f < IMSAT_EXPORT_FORMATS && st == IMSAT_OK; f++) {
        const imsat_export_options options = {.format = (imsat_export_format)f};
        st = imsat_codes_export(in_folder("out"), &codes, &options, err);
    }
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(export_all, NULL) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faiss_without_ids_is_flat),
        cmocka_unit_test(faiss_with_ids_is_a_map),
        cmocka_unit_test(bytes_are_in_the_order_asked_for),
        cmocka_unit_test(postgres_is_text),
        cmocka_unit_test(sqlite_is_a_script),
        cmocka_unit_test(scripts_end_every_statement),
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(a_watched_export_can_be_stopped),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
