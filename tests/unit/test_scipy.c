/* SPDX-License-Identifier: MIT
 * Sparse matrices of scipy: rows and columns that are not sorted, and archives that are
 * refused. (What scipy writes is in test_peer_files.c.) */
#include "data/dataset.h"
#include "data_files.h"
#include "zips.h"

#include <stdio.h>
#include <string.h>

/* An archive: its arrays of int32 and float, and the text of its format. */
typedef struct parts {
    const char *format;
    int32_t indptr[8], indices[8], shape[4];
    float data[8];
    size_t lines, elements, sizes; /* of indptr without the last; of indices; of shape */
    size_t values;                 /* of data */
} parts;

static void add_array(zip_maker *zip, const char *name, const char *type, size_t count,
                      const void *bytes, size_t size)
{
    unsigned char npy[512];
    char header[128];
    char shape[32] = "()";
    if (count)
        snprintf(shape, sizeof shape, "(%zu,)", count);
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
             type, shape);
    zip_add(zip, name, npy, npy_bytes(npy, 1, header, bytes, size), false);
}

static const char *make(const parts *p)
{
    static zip_maker zip;
    zip = (zip_maker){0};
    add_array(&zip, "indices.npy", "<i4", p->elements, p->indices, 4 * p->elements);
    add_array(&zip, "indptr.npy", "<i4", p->lines + 1, p->indptr, 4 * (p->lines + 1));
    add_array(&zip, "format.npy", "|S3", 0, p->format, strlen(p->format));
    add_array(&zip, "shape.npy", "<i4", p->sizes, p->shape, 4 * p->sizes);
    add_array(&zip, "data.npy", "<f4", p->values, p->data, 4 * p->values);
    zip_end(&zip, false);
    return file_put("x.npz", zip.bytes, zip.size);
}

/*     . 2 5
 *     1 . .    */
static const float EXPECTED[] = {0, 2, 5, 1, 0, 0};

static const parts by_rows = {"csr", {0, 2, 3}, {2, 1, 0}, {2, 3}, {5, 2, 1}, 2, 3, 2, 3};
static const parts by_columns = {"csc", {0, 1, 2, 3}, {1, 0, 0}, {2, 3}, {1, 2, 5}, 3, 3, 2,
                                 3};

static void rows_and_columns(void **state)
{
    (void)state;
    imsat_data *data = open_with(make(&by_rows), NULL);
    assert_rows(data, EXPECTED, 2, 3);
    assert_true(im_data_is_sparse(data));
    imsat_data_free(data);
    data = open_with(make(&by_columns), NULL);
    assert_rows(data, EXPECTED, 2, 3);
    imsat_data_free(data);
    char inside[512]; /* an array by its name is an array */
    snprintf(inside, sizeof inside, "%s:data", make(&by_rows));
    data = open_with(inside, NULL);
    assert_rows(data, by_rows.data, 3, 1);
    imsat_data_free(data);
}

static void refuse(const parts *p, const char *message)
{
    assert_unreadable(make(p), message);
}

static void refusals(void **state)
{
    (void)state;
    parts p = by_rows;
    p.format = "coo";
    refuse(&p, "in the format 'coo'; write it as csr (tocsr())");
    p = by_rows, p.sizes = 3;
    refuse(&p, "'shape' has 3 values, not 2");
    p = by_rows, p.shape[0] = 3;
    refuse(&p, "its shape (3, 3) does not fit 3 'indptr', 3 'indices' and 3 'data'");
    p = by_rows, p.shape[1] = 0;
    refuse(&p, "its shape (2, 0) does not fit");
    p = by_rows, p.values = 2;
    refuse(&p, "3 'indices' and 2 'data'");
    p = by_rows, p.indptr[1] = 4;
    refuse(&p, "'indptr' has 0 and 4 at 0, which do not part 3 elements");
    p = by_rows, p.indptr[0] = 1;
    refuse(&p, "'indptr' has 1 and 2 at 0");
    p = by_rows, p.indptr[2] = 2;
    refuse(&p, "'indptr' has 2 and 2 at 1");
    p = by_rows, p.indptr[1] = -1;
    refuse(&p, "element 1 of 'indptr' is -1, not a count");
    p = by_rows, p.indices[2] = 3;
    refuse(&p, "element 2 of 'indices' is 3; it must be below 3");
    p = by_columns, p.indices[2] = 2;
    refuse(&p, "element 2 of 'indices' is 2; it must be below 2");
    p = by_columns, p.shape[0] = 1 << 20;
    refuse(&p, "1048576 rows are more than the file can hold");
    p = by_rows, p.indices[1] = 2;
    refuse(&p, "row 0 (from 0): column 2 comes twice in the row");
    p = by_rows, p.data[1] = 1e38F * 10;
    refuse(&p, "element 1 of 'data' is inf");
}

static void memory_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", make(&by_rows));
    assert_true(fail_each_open(path) > 10);
    snprintf(path, sizeof path, "%s", make(&by_columns));
    assert_true(fail_each_open(path) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
