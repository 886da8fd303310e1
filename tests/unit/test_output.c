/* SPDX-License-Identifier: MIT
 * Files of rows: which format a name means, the bytes of each, and what is refused. */
#include "imsat/output.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 3, WIDTH = 2 };

static const int32_t labels[ROWS] = {-7, 0, INT32_MAX};
static const float numbers[ROWS * WIDTH] = {0.1f, -2, 1e-30f, 1.0f / 3, 16777216, -0.0f};

static const imsat_output_column two_columns[] = {{"label", IMSAT_NPY_INT32, 0},
                                                  {"x", IMSAT_NPY_FLOAT32, WIDTH}};

/* Write both columns, in two pieces, and compare the file with `expected`. */
static void assert_written(const char *name, const char *format, size_t announced,
                           const char *expected)
{
    char text[1024];
    imsat_error err;
    imsat_output *file = NULL;
    const char *path = in_folder(name);
    const void *first[] = {labels, numbers}, *rest[] = {labels + 1, numbers + WIDTH};
    assert_ok(imsat_output_create(&file, path, format, two_columns, 2, announced, &err), &err);
    assert_ok(imsat_output_append(file, first, 1, &err), &err);
    assert_ok(imsat_output_append(file, rest, 0, &err), &err);
    assert_ok(imsat_output_append(file, rest, 2, &err), &err);
    assert_ok(imsat_output_commit(file, &err), &err);
    imsat_output_free(file);
    const size_t size = read_file(path, text, sizeof text - 1);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static void text_has_names_and_numbers(void **state)
{
    (void)state;
    const char *csv = "label,x0,x1\n-7,0.1,-2\n0,1e-30,0.333333343\n2147483647,16777216,-0\n";
    const char *tsv =
        "label\tx0\tx1\n-7\t0.1\t-2\n0\t1e-30\t0.333333343\n2147483647\t16777216\t-0\n";
    const char *json = "{\"label\":-7,\"x\":[0.1,-2]}\n{\"label\":0,\"x\":[1e-30,0.333333343]}"
                       "\n{\"label\":2147483647,\"x\":[16777216,-0]}\n";
    assert_written("a.csv", NULL, ROWS, csv);
    assert_written("a.CSV", NULL, IMSAT_NPY_ANY_ROWS, csv);
    assert_written("a.tsv", NULL, ROWS, tsv);
    assert_written("a.jsonl", NULL, ROWS, json);
    assert_written("a.ndjson", NULL, ROWS, json);
    assert_written("a", "tsv", IMSAT_NPY_ANY_ROWS, tsv);
    assert_written("a.csv", "jsonl", ROWS, json);
}

/* All types, and what is not finite. */
static void types_and_names(void **state)
{
    (void)state;
    static const imsat_output_column columns[] = {{"a \"b\",c", IMSAT_NPY_INT64, 0},
                                                  {"tab\t\\", IMSAT_NPY_UINT8, 1},
                                                  {NULL, IMSAT_NPY_FLOAT32, 2}};
    static const struct {
        const char *name, *expected;
    } files[] = {
        {"n.csv", "\"a \"\"b\"\",c\",tab\t\\0,0,1\n-9223372036854775808,255,,1.5\n"},
        {"n.tsv", "\"a \"\"b\"\",c\"\t\"tab\t\\0\"\t0\t1\n-9223372036854775808\t255\t\t1.5\n"},
        {"n.jsonl", "{\"a \\\"b\\\",c\":-9223372036854775808,\"tab\\u0009\\\\\":[255],\"\":"
                    "[null,1.5]}\n"},
    };
    const int64_t id = INT64_MIN;
    const uint8_t byte = 255;
    const float pair[2] = {INFINITY, 1.5f};
    const void *values[] = {&id, &byte, pair};
    imsat_error err;
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        imsat_output *file = NULL;
        const char *path = in_folder(files[i].name);
        assert_ok(imsat_output_create(&file, path, NULL, columns, 3, 1, &err), &err);
        assert_ok(imsat_output_append(file, values, 1, &err), &err);
        assert_ok(imsat_output_commit(file, &err), &err);
        imsat_output_free(file);
        text[read_file(path, text, sizeof text - 1)] = '\0';
        assert_string_equal(text, files[i].expected);
    }
}

/* Every format of results reads back as labels or as rows, but for JSON, which is text. */
static void labels_are_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"l.npy", "l.csv", "l.tsv", "l"};
    imsat_error err;
    for (size_t i = 0; i < 4; i++) {
        int32_t *got = NULL;
        size_t n = 0;
        const char *path = in_folder(names[i]);
        assert_ok(imsat_labels_write(path, NULL, labels, ROWS, &err), &err);
        assert_ok(imsat_labels_read(&got, &n, &path, 1, &err), &err);
        assert_int_equal(n, ROWS);
        assert_memory_equal(got, labels, sizeof labels);
        imsat_free(got);
    }
}

static void names_mean_formats(void **state)
{
    (void)state;
    static const struct {
        const char *path, *format, *expected;
    } known[] = {
        {"x.npy", NULL, "npy"},   {"x", NULL, "npy"},          {"/dev/fd/3", NULL, "npy"},
        {"a.csv/x", NULL, "npy"}, {".hidden", NULL, "npy"},    {"x.", NULL, "npy"},
        {"a.b.TSV", NULL, "tsv"}, {"x.csv", "jsonl", "jsonl"}, {"x.nothing", "csv", "csv"}};
    const imsat_output_format *format = NULL;
    imsat_error err;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_ok(imsat_output_format_find(&format, known[i].path, known[i].format, &err),
                  &err);
        assert_string_equal(format->name, known[i].expected);
    }
    assert_refused(imsat_output_format_find(&format, "l.csv.gz", NULL, &err), &err,
                   IMSAT_EINVAL, "l.csv.gz: no format that imsat writes ends in .gz");
    assert_refused(imsat_output_format_find(&format, "l", "parquet", &err), &err, IMSAT_EINVAL,
                   "l: there is no format 'parquet'");
    assert_string_equal(imsat_output_format_at(0)->name, "npy");
    assert_null(imsat_output_format_at(1000));
}

static void what_a_format_does_not_hold_is_refused(void **state)
{
    (void)state;
    const size_t before = folder_count();
    const imsat_output_column strange = {"x", (imsat_npy_type)99, 0};
    imsat_output *file = NULL;
    imsat_error err;
    assert_refused(
        imsat_output_create(&file, in_folder("b.npy"), NULL, two_columns, 2, ROWS, &err), &err,
        IMSAT_EINVAL, "npy does not hold several columns of different kinds");
    assert_refused(
        imsat_output_create(&file, in_folder("b.csv"), NULL, two_columns, 0, ROWS, &err), &err,
        IMSAT_EINVAL, "no columns");
    assert_refused(imsat_output_create(&file, in_folder("b.csv"), NULL, &strange, 1, 1, &err),
                   &err, IMSAT_EINVAL, "99 is not a type");
    assert_refused(imsat_output_create(&file, in_folder("b.csv"), NULL, two_columns + 1, 1,
                                       SIZE_MAX / 4, &err),
                   &err, IMSAT_EINVAL, "more than memory");
    assert_null(file);
    assert_int_equal(folder_count(), before);
}

static void rows_are_counted(void **state)
{
    (void)state;
    const size_t before = folder_count();
    const void *values[] = {labels, numbers};
    imsat_output *file = NULL;
    imsat_error err;
    assert_ok(imsat_output_create(&file, in_folder("c.csv"), NULL, two_columns, 2, 2, &err),
              &err);
    assert_ok(imsat_output_append(file, values, 1, &err), &err);
    assert_refused(imsat_output_commit(file, &err), &err, IMSAT_EINVAL, "1 rows are missing");
    assert_refused(imsat_output_append(file, values, 3, &err), &err, IMSAT_EINVAL,
                   "2 rows more than were announced");
    imsat_output_free(file);
    imsat_output_free(NULL);
    assert_int_equal(folder_count(), before);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const void *values[] = {labels, numbers};
    imsat_output *file = NULL;
    imsat_status st = imsat_output_create(&file, context, NULL, two_columns, 2, ROWS, err);
    if (st == IMSAT_OK)
        st = imsat_output_append(file, values, ROWS, err);
    if (st == IMSAT_OK)
        st = imsat_output_commit(file, err);
    imsat_output_free(file);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder("d.jsonl"));
    assert_true(fail_each(attempt, path) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_names_and_numbers),
        cmocka_unit_test(types_and_names),
        cmocka_unit_test(labels_are_read_back),
        cmocka_unit_test(names_mean_formats),
        cmocka_unit_test(what_a_format_does_not_hold_is_refused),
        cmocka_unit_test(rows_are_counted),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
