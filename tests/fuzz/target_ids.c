/* SPDX-License-Identifier: MIT
 * Files of ids: they differ, none is -1, and they are the same written as .npy and as text. */
#include "imsat/search.h"
#include "rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(void)
{
    rows_seed_npy(1, "{'descr': '>i8', 'fortran_order': False, 'shape': (3,)}", 24);
    rows_seed_npy(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 1)}", 6);
    rows_seed_npy(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (3,)}", 3);
    fuzz_seed_text("1\n-20\n9223372036854775807\r\n\n4");
    fuzz_seed_text("-9223372036854775808\n\t 0 \n");
    fuzz_seed_text("id\n7\n8\n");
    fuzz_seed("\x93NUMPY\1\0\x3a\0{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n"
              "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x40",
              10 + 0x3a + 16);
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The file at `path` holds these ids. */
static void check_file(const char *path, const int64_t *ids, size_t n, imsat_error *err)
{
    int64_t *again = NULL;
    size_t m = 0;
    fuzz_succeeded(imsat_ids_read(&again, &m, path, err), err);
    REQUIRE(m == n && memcmp(again, ids, n * sizeof *ids) == 0,
            "what is written is not what is read");
    imsat_free(again);
}

static void check_written(const int64_t *ids, size_t n, imsat_error *err)
{
    static char text[24 * ROWS_MOST];
    imsat_npy *file = NULL;
    size_t used = 0;
    fuzz_succeeded(imsat_npy_create(&file, "again.npy", IMSAT_NPY_INT64, n, 0, err), err);
    fuzz_succeeded(imsat_npy_append(file, ids, n, err), err);
    fuzz_succeeded(imsat_npy_commit(file, err), err);
    imsat_npy_free(file);
    check_file("again.npy", ids, n, err);
    if (n > 16)
        return;
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%" PRId64 "\n", ids[i]);
    fuzz_file_put("again", text, used);
    check_file("again", ids, n, err);
}

static bool run(const uint8_t *input, size_t size)
{
    static int64_t sorted[ROWS_MOST];
    int64_t *ids = NULL;
    size_t n = 0;
    imsat_error err = {{0}};
    fuzz_file_put("fuzzed.ids", input, size);
    const imsat_status st = imsat_ids_read(&ids, &n, "fuzzed.ids", &err);
    if (st != IMSAT_OK) {
        REQUIRE(!ids && n == 0, "ids after a failure");
        fuzz_refused(st, &err, "fuzzed.ids");
        return false;
    }
    REQUIRE(ids && n > 0 && n <= size, "%zu ids of %zu bytes", n, size);
    memcpy(sorted, ids, n * sizeof *ids);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++)
        REQUIRE(sorted[i] != -1 && (!i || sorted[i - 1] < sorted[i]), "the id %" PRId64,
                sorted[i]);
    check_written(ids, n, &err);
    imsat_free(ids);
    return true;
}

const fuzz_target fuzz_this = {"ids", ROWS_MOST / 2, begin, run, NULL};
