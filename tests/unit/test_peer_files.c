/* SPDX-License-Identifier: MIT
 *
 * Files that other tools have written (tests/data/make.py says which): the numbers that they
 * wrote are the numbers that are read. */
#include "data_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 7, DIM = 3 };

/* What a file holds: element i, counted along the rows. */
typedef enum values {
    FLOATS,  /* i / 4 - 2 */
    COUNT,   /* i */
    PATTERN, /* i % 2 */
    SHIFTED  /* a column of zeros, and FLOATS */
} values;

typedef struct peer_file {
    const char *name; /* in tests/data */
    values values;
    bool labels;             /* it brings those of its rows */
    const char *description; /* or a part */
} peer_file;

static const peer_file files[] = {
    {"stored.npz", FLOATS, false, "npz 'arr_0': npy <f4 (7, 3), mapped"},
    {"deflated.npz", FLOATS, true, "npz 'x': npy <f4 (7, 3), decompressed"},
    {"several.npz:wide", FLOATS, false, "npz 'wide': npy >f8 (7, 3) in Fortran order, mapped"},
    {"several.npz:bytes", COUNT, false, "npz 'bytes': npy |u1 (7, 3), mapped"},
    {"zip64.npz", FLOATS, true, "npz 'data': npy <f4 (7, 3), mapped"},
    {"x.fvecs", FLOATS, false, "fvecs float32 (7, 3), mapped"},
    {"x.bvecs", COUNT, false, "bvecs uint8 (7, 3), mapped"},
    {"x.ivecs", COUNT, false, "ivecs int32 (7, 3), mapped"},
    {"x.fbin", FLOATS, false, "fbin float32 (7, 3), mapped"},
    {"x.u8bin", COUNT, false, "u8bin uint8 (7, 3), mapped"},
    {"x.i8bin", COUNT, false, "i8bin int8 (7, 3), mapped"},
    {"x.ibin", COUNT, false, "ibin int32 (7, 3), mapped"},
    {"one.safetensors", FLOATS, false, "safetensors 'only': F32 (7, 3), mapped"},
    {"several.safetensors:half", FLOATS, false, "safetensors 'half': F16 (7, 3), in memory"},
    {"several.safetensors:brain", FLOATS, false, "safetensors 'brain': BF16 (7, 3), "},
    {"several.safetensors", COUNT, true, "safetensors 'x': U8 (7, 3), "},
    {"csr.npz", FLOATS, false, "npz, csr of scipy (7, 3), sparse, 20 elements"},
    {"csc.npz", FLOATS, false, "npz, csc of scipy (7, 3), sparse, 20 elements"},
    {"sparse.mtx", FLOATS, false, "Matrix Market (7, 3), sparse, 20 elements"},
    {"dense.mtx", FLOATS, false, "Matrix Market (7, 3), as float32 in memory"},
    {"pattern.mtx", PATTERN, false, "Matrix Market (7, 3), sparse, 10 elements"},
    {"from0.svm", FLOATS, true, "svmlight (7, 3), sparse, 20 elements, columns from 0, with"},
    {"from1.svm", FLOATS, true, "svmlight (7, 3), sparse, 20 elements, columns from 1, with"},
    {"said.svm", SHIFTED, true, "svmlight (7, 4), sparse, 20 elements, columns from 0, with"},
    {"objects.jsonl", FLOATS, false, "jsonl (7, 3), as float32 in memory"},
    {"arrays.jsonl", COUNT, false, "jsonl (7, 3), as float32 in memory"},
    {"lists.jsonl", FLOATS, false, "jsonl (7, 3), as float32 in memory"},
    {"plain.mat", FLOATS, false, "mat 'rows': single (7, 3), mapped"},
    {"several.mat", FLOATS, true, "mat 'x': double (7, 3), decompressed"},
    {"several.mat:bytes", COUNT, false, "mat 'bytes': uint8 (7, 3), decompressed"},
    {"several.mat:odd", PATTERN, false, "mat 'odd': logical (7, 3), decompressed"},
    {"several.mat:sparse", FLOATS, false, "mat 'sparse': sparse (7, 3), 20 elements"},
    {"old.mat", FLOATS, false, "mat 'rows': single (7, 3), mapped"},
#if IM_HAVE_HDF5
    {"plain.h5", FLOATS, false, "hdf5 'rows': float32 (7, 3), mapped"},
    {"several.h5", FLOATS, true, "hdf5 'x': float32 (7, 3), by rows"},
    {"several.h5:group/big", FLOATS, false, "hdf5 'group/big': float64 (7, 3), mapped"},
    {"several.h5:group/half", FLOATS, false, "hdf5 'group/half': float16 (7, 3), by rows"},
    {"ann.hdf5", COUNT, false, "hdf5 'train': int32 (7, 3), mapped"},
    {"plain73.mat", FLOATS, false, "mat 'rows': single (7, 3), mapped"},
    {"several73.mat", FLOATS, true, "mat 'x': double (7, 3), in memory"},
    {"several73.mat:odd", PATTERN, false, "mat 'odd': logical (7, 3), mapped"},
    {"several73.mat:sparse", FLOATS, false, "mat 'sparse': sparse (7, 3), 20 elements"},
    {"chunks.h5", FLOATS, false, "hdf5 'rows': float32 (7, 3), by rows"},
    {"block.h5", COUNT, false, "hdf5 'rows': uint8 (7, 3), mapped"},
#endif
};

static const char *path_of(const peer_file *file)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/tests/data/%s", IMSAT_SOURCE, file->name);
    return path;
}

static float value_of(values of, size_t i)
{
    return of == COUNT ? (float)i : of == PATTERN ? (float)(i % 2) : (float)i / 4 - 2;
}

static void check(const peer_file *file)
{
    float expected[ROWS * (DIM + 1)] = {0};
    const size_t before = file->values == SHIFTED ? 1 : 0, dim = DIM + before;
    for (size_t i = 0; i < ROWS * DIM; i++)
        expected[i / DIM * dim + before + i % DIM] = value_of(file->values, i);
    imsat_data *data = open_with(path_of(file), NULL);
    assert_rows(data, expected, ROWS, dim);
    const char *description = imsat_data_describe(data, 0);
    if (!strstr(description, file->description))
        fail_msg("%s is '%s', not '%s'", file->name, description, file->description);
    const int32_t *labels = imsat_data_labels(data);
    assert_int_equal(labels != NULL, file->labels);
    for (int32_t i = 0; labels && i < ROWS; i++)
        assert_int_equal(labels[i], i * i % 5);
    imsat_data_free(data);
}

static void numbers_are_those_that_were_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check(&files[i]);
}

/* The labels of a file that has some, by the file's own name and by theirs. */
static void labels_are_read_by_themselves(void **state)
{
    (void)state;
    static const peer_file with_labels[] = {
        {.name = "deflated.npz"}, {.name = "deflated.npz:y"}, {.name = "several.npz:y"},
        {.name = "several.mat"},  {.name = "several.mat:y"},  {.name = "from0.svm"}};
    for (size_t f = 0; f < sizeof with_labels / sizeof *with_labels; f++) {
        const char *path = path_of(&with_labels[f]);
        int32_t *labels = NULL;
        size_t n = 0;
        imsat_error err;
        assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
        assert_int_equal(n, ROWS);
        for (int32_t i = 0; i < ROWS; i++)
            assert_int_equal(labels[i], i * i % 5);
        imsat_free(labels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_that_were_written),
        cmocka_unit_test(labels_are_read_by_themselves),
    };
    return cmocka_run_group_tests_name("peer_files", tests, NULL, NULL);
}
