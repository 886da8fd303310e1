/* SPDX-License-Identifier: MIT
 * Files of labels, and of vectors of numbers: .npy, idx1 and text. */
#include "rows.h"

#include <math.h>
#include <string.h>

static void begin(void)
{
    static const uint8_t classes[] = {0, 0, 8, 1, 0, 0, 0, 3, 1, 0, 2};
    rows_seed_npy(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (5, 1)}", 20);
    rows_seed_npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (7,)}", 7);
    rows_seed_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3)}", 12);
    fuzz_seed(classes, sizeof classes);
    fuzz_seed_text("label\ncat\ndog\n7\ncat\n");
    fuzz_seed_text("3\n-1\n2\n");
    fuzz_seed_text("ox\n\"a \"\"b\"\"\"\nnan\n07\n7.0\n");
    fuzz_seed_text("0.25,0.5,0.25\n");
}

/* Labels of one file or, to join them, of the same file twice. */
static bool read_labels(const char *path, size_t files, size_t size)
{
    const char *const paths[] = {path, path};
    const char *again = "again.npy";
    int32_t *labels = NULL, *back = NULL;
    size_t n = 0, m = 0;
    imsat_error err = {{0}};
    const imsat_status st = imsat_labels_read(&labels, &n, paths, files, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!labels && n == 0, "labels after a failure");
        fuzz_refused(st, &err, path);
        return false;
    }
    REQUIRE(labels && n > 0 && n <= files * size && n % files == 0, "%zu labels of %zu bytes",
            n, size);
    REQUIRE(files == 1 || memcmp(labels, labels + n / 2, n / 2 * sizeof *labels) == 0,
            "labels of a file differ beside others");
    fuzz_succeeded(imsat_npy_write_int32(again, labels, n, &err), &err);
    fuzz_succeeded(imsat_labels_read(&back, &m, &again, 1, &err), &err);
    REQUIRE(m == n && memcmp(labels, back, n * sizeof *labels) == 0,
            "what is written is not what is read");
    imsat_free(labels);
    imsat_free(back);
    return true;
}

static bool read_vector(const char *path, size_t size)
{
    double *values = NULL;
    size_t n = 0;
    imsat_error err = {{0}};
    const imsat_status st = imsat_vector_read(&values, &n, path, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!values && n == 0, "a vector after a failure");
        fuzz_refused(st, &err, path);
        return false;
    }
    REQUIRE(values && n > 0 && n <= size, "%zu values of %zu bytes", n, size);
    for (size_t i = 0; i < n; i++)
        REQUIRE(isfinite(values[i]), "value %zu is %g", i, values[i]);
    imsat_free(values);
    return true;
}

static bool run(const uint8_t *input, size_t size)
{
    fuzz_file_put("fuzzed.labels", input, size);
    const bool labels = read_labels("fuzzed.labels", 1, size);
    REQUIRE(read_labels("fuzzed.labels", 2, size) == labels,
            "labels are refused beside others");
    return read_vector("fuzzed.labels", size) || labels;
}

const fuzz_target fuzz_this = {"labels", ROWS_MOST / 2, begin, run, NULL};
