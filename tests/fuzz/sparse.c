/* SPDX-License-Identifier: MIT
 * See sparse.h. */
#include "sparse.h"

#include "data/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED = 1 << 17, FEW = 512 };

static imsat_data *open_or_refuse(const char *path)
{
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_open(&data, &path, 1, NULL, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!data, "a handle after a failure");
        fuzz_refused(st, &err, path);
    }
    return data;
}

/* Returns how many elements there are. */
static size_t check_order(const imsat_data *data)
{
    size_t elements = 0;
    for (size_t i = 0; i < data->rows; i++) {
        const im_csr_row row = im_data_sparse_row(data, i);
        for (size_t e = 0; e < row.count; e++) {
            REQUIRE(row.column[e] >= 0 && (size_t)row.column[e] < data->dim &&
                        (e == 0 || row.column[e] > row.column[e - 1]),
                    "row %zu: column %ld of %zu", i, (long)row.column[e], data->dim);
            REQUIRE(isfinite(row.value[e]), "row %zu: a value is %g", i, (double)row.value[e]);
        }
        elements += row.count;
    }
    return elements;
}

/* Nine digits are enough to read back the same float. */
static void check_printed(const imsat_data *data)
{
    static char text[PRINTED];
    size_t used = (size_t)snprintf(text, sizeof text, "# zero-based\n");
    for (size_t i = 0; i < data->rows; i++) {
        const im_csr_row row = im_data_sparse_row(data, i);
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu", i);
        for (size_t e = 0; e < row.count; e++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %ld:%.9g",
                                     (long)row.column[e], (double)row.value[e]);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    fuzz_file_put("printed.svm", text, used);
    imsat_data *again = open_or_refuse("printed.svm");
    REQUIRE(again && again->rows == data->rows && again->dim <= data->dim,
            "what was printed is not what is read");
    for (size_t i = 0; i < data->rows; i++) {
        const im_csr_row a = im_data_sparse_row(data, i), b = im_data_sparse_row(again, i);
        REQUIRE(a.count == b.count &&
                    memcmp(a.column, b.column, a.count * sizeof *a.column) == 0 &&
                    memcmp(a.value, b.value, a.count * sizeof *a.value) == 0,
                "row %zu is printed and read as another", i);
    }
    imsat_data_free(again);
}

bool sparse_read(const char *path, size_t size)
{
    imsat_data *data = open_or_refuse(path);
    if (!data)
        return false;
    REQUIRE(data->rows > 0 && data->dim > 0 && data->rows <= size, "%zu rows of %zu bytes",
            data->rows, size);
    if (im_data_is_sparse(data)) {
        const size_t elements = check_order(data);
        if (elements > 0 && elements <= FEW && data->rows <= FEW)
            check_printed(data);
    }
    imsat_data_free(data);
    return true;
}
