/* SPDX-License-Identifier: MIT
 * Files of MATLAB: which variable is the data, in every form that a variable has, and files
 * that are refused. (What scipy writes is also in test_peer_files.c.) */
#include "data/mat.h"

#include "data/dataset.h"
#include "data_files.h"
#include "imsat/process.h"
#include "mats.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4, DIM = 3, IMAGES = 7, MOST = 4096 };

#define KEPT IMSAT_SOURCE "/tests/data/"

/* 0 1 2; 3 4 5; .. column after column. */
static const unsigned char COLUMNS[ROWS * DIM] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11};
static const float EXPECTED[ROWS * DIM] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const unsigned char LABELS[ROWS] = {5, 6, 5, 7};

static const mat_variable x = {"x",         MAT_UINT8, 0,
                               {ROWS, DIM}, 2,         {{MAT_U8, COLUMNS, ROWS *DIM, 1}}};
static const mat_variable y = {"y", MAT_UINT8, 0, {1, ROWS}, 2, {{MAT_U8, LABELS, ROWS, 1}}};

/* A file of variables; the list ends with NULL. */
static const char *make(bool big_endian, bool packed, const mat_variable *const *variables)
{
    static mat_maker plain, other;
    mat_begin(&plain, big_endian);
    for (; *variables; variables++)
        mat_add(&plain, *variables);
    assert_true(mat_pack(&other, plain.bytes, plain.size));
    const mat_maker *made = packed ? &other : &plain;
    return file_put("x.mat", made->bytes, made->size);
}

static const char *make_one(const mat_variable *variable)
{
    return make(false, false, (const mat_variable *const[]){variable, NULL});
}

static void assert_data(const char *path, bool labels)
{
    imsat_data *data = open_with(path, NULL);
    assert_rows(data, EXPECTED, ROWS, DIM);
    assert_int_equal(imsat_data_labels(data) != NULL, labels);
    for (size_t i = 0; labels && i < ROWS; i++)
        assert_int_equal(imsat_data_labels(data)[i], LABELS[i]);
    im_data_release(data, 0, ROWS);
    assert_rows(data, EXPECTED, ROWS, DIM);
    imsat_data_free(data);
}

/* ---- what is read --------------------------------------------------------------------- */

static void every_form_has_the_same_numbers(void **state)
{
    (void)state;
    double wide[ROWS * DIM];
    int16_t narrow[ROWS * DIM];
    for (size_t i = 0; i < ROWS * DIM; i++) {
        wide[i] = COLUMNS[i];
        narrow[i] = COLUMNS[i];
    }
    mat_variable v[] = {x, x, x};
    v[0].parts[0] = (mat_values){MAT_F64, wide, ROWS * DIM, sizeof *wide};
    v[1].parts[0] = (mat_values){MAT_I16, narrow, ROWS * DIM, sizeof *narrow};
    v[0].class = v[1].class = v[2].class = MAT_DOUBLE;
    for (size_t i = 0; i < 3; i++)
        for (int form = 0; form < 4; form++)
            assert_data(
                make(form & 1, form & 2, (const mat_variable *const[]){&v[i], &y, NULL}),
                true);
}

/* A description is of the class; logical values are 0 and 1, whatever the byte. */
static void logical_values_are_0_and_1(void **state)
{
    (void)state;
    static const unsigned char values[] = {0, 1, 255, 0, 0, 2};
    static const float expected[] = {0, 1, 0, 1, 0, 1};
    const mat_variable v = {"b",    MAT_UINT8, MAT_LOGICAL,
                            {2, 3}, 2,         {{MAT_U8, values, sizeof values, 1}}};
    imsat_data *data = open_with(make_one(&v), NULL);
    assert_string_equal(imsat_data_describe(data, 0), "mat 'b': logical (2, 3), mapped");
    assert_rows(data, expected, 2, 3);
    imsat_data_free(data);
}

/* As make.py wrote them: image i, height, width and channel count up. */
static void images_are_counted_by_the_last_dimension(void **state)
{
    (void)state;
    static const char *const paths[] = {KEPT "images.mat", KEPT "images_plain.mat",
                                        KEPT "images_plain.mat:X"};
    float expected[IMAGES * 24];
    for (size_t i = 0; i < IMAGES * 24; i++)
        expected[i] = (float)i;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        imsat_data *data = open_with(paths[i], NULL);
        assert_rows(data, expected, IMAGES, 24);
        const imsat_image image = imsat_data_image(data);
        assert_true(image.height == 2 && image.width == 3 && image.channels == 4);
        for (int32_t k = 0; k < IMAGES; k++)
            assert_int_equal(imsat_data_labels(data)[k], k * k % 5);
        imsat_data_free(data);
    }
}

static void gray_images_in_either_byte_order(void **state)
{
    (void)state;
    static const float values[] = {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}; /* (2, 3, 2) */
    const mat_variable v = {"g", MAT_SINGLE, 0, {2, 3, 2}, 3, {{MAT_F32, values, 12, 4}}};
    for (int form = 0; form < 4; form++) {
        imsat_data *data =
            open_with(make(form & 1, form & 2, (const mat_variable *const[]){&v, NULL}), NULL);
        assert_rows(data, EXPECTED, 2, 6);
        assert_int_equal(imsat_data_image(data).width, 3);
        assert_int_equal(imsat_data_image(data).channels, 1);
        imsat_data_free(data);
    }
}

static void a_row_vector_is_a_row_or_labels(void **state)
{
    (void)state;
    static const float row[] = {5, 6, 5, 7};
    const char *path = make_one(&y);
    int32_t *labels = NULL;
    size_t n = 0;
    imsat_error err;
    imsat_data *data = open_with(path, NULL);
    assert_rows(data, row, 1, ROWS);
    imsat_data_free(data);
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, ROWS);
    assert_int_equal(labels[3], 7);
    imsat_free(labels);
    const char *wrong = make_one(&x);
    assert_refused(imsat_labels_read(&labels, &n, &wrong, 1, &err), &err, IMSAT_EFORMAT,
                   "labels need one column");
}

/* ---- which one ----------------------------------------------------------------------------
 */

static mat_variable renamed(const mat_variable *v, const char *name)
{
    mat_variable other = *v;
    other.name = name;
    return other;
}

static void the_only_one_of_its_kind_is_the_data(void **state)
{
    (void)state;
    const mat_variable a = renamed(&x, "a"), b = renamed(&x, "b"), fea = renamed(&x, "fea"),
                       gnd = renamed(&y, "gnd"), other = renamed(&y, "other"),
                       unnamed = renamed(&x, "");
    assert_data(make(false, true, (const mat_variable *const[]){&gnd, &a, &fea, NULL}), true);
    assert_data(make(false, true, (const mat_variable *const[]){&other, &a, &gnd, NULL}),
                false);
    assert_data(make(false, false, (const mat_variable *const[]){&unnamed, &a, NULL}), false);
    assert_unreadable_with(make(false, false, (const mat_variable *const[]){&a, &b, NULL}),
                           NULL, IMSAT_EINVAL,
                           "holds 2 variables; say which one by FILE:NAME: a, b");
}

static void what_is_no_numbers_is_refused_by_its_name(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"cell", "the variable 'cell' is a cell array; imsat reads arrays of real numbers"},
        {"struct", "the variable 'struct' is a struct"},
        {"text", "the variable 'text' is text"},
        {"complex", "the variable 'complex' is an array of complex numbers"},
        {"deep", "the variable 'deep' is an array of more than 4 dimensions"},
        {"empty", "the variable 'empty' is an empty array"}};
    char path[512];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(path, sizeof path, KEPT "several.mat:%s", refused[i][0]);
        assert_unreadable(path, refused[i][1]);
        assert_unreadable_with(KEPT "several.mat", refused[i][0], IMSAT_EFORMAT,
                               refused[i][1]);
    }
    assert_unreadable_with(
        KEPT "several.mat:q", NULL, IMSAT_EINVAL,
        "there is no variable 'q' inside; there is x, y, bytes, odd, sparse");
    assert_unreadable(KEPT "refused.mat",
                      "holds no array of real numbers; the variable 'c' is a cell array");
}

/* ---- sparse -------------------------------------------------------------------------------
 */

/*     . 2 5
 *     1 . .      with room for a fourth element */
typedef struct sparse {
    int32_t rows[4], starts[4];
    double values[4];
} sparse;

static const sparse good = {{1, 0, 0, 9}, {0, 1, 2, 3}, {1, 2, 5, 9}};

static const char *make_sparse(const sparse *s, int32_t rows, int32_t columns, bool packed)
{
    const mat_variable v = {
        "s",
        MAT_SPARSE,
        0,
        {rows, columns},
        2,
        {{MAT_I32, s->rows, 4, 4}, {MAT_I32, s->starts, 4, 4}, {MAT_F64, s->values, 4, 8}}};
    return make(packed, packed, (const mat_variable *const[]){&v, NULL});
}

static void sparse_matrices_are_sparse_rows(void **state)
{
    (void)state;
    static const float expected[] = {0, 2, 5, 1, 0, 0};
    for (int packed = 0; packed < 2; packed++) {
        imsat_data *data = open_with(make_sparse(&good, 2, 3, packed), NULL);
        assert_string_equal(imsat_data_describe(data, 0),
                            "mat 's': sparse (2, 3), 3 elements");
        assert_true(im_data_is_sparse(data));
        assert_rows(data, expected, 2, 3);
        imsat_data_free(data);
    }
}

static void damaged_sparse_matrices_are_refused(void **state)
{
    (void)state;
    sparse s = good;
    s.rows[2] = 2;
    assert_unreadable(make_sparse(&s, 2, 3, false),
                      "element 2 of 'rows' is 2; it must be below 2");
    s = good;
    s.starts[1] = 3;
    assert_unreadable(make_sparse(&s, 2, 3, false), "'starts of columns' has 3 and 2 at 1");
    s = good;
    s.starts[3] = 5;
    assert_unreadable(make_sparse(&s, 2, 3, false), "which do not part 4 elements");
    s = good;
    s.starts[2] = 1;
    assert_unreadable(make_sparse(&s, 2, 3, false), "row 0, column 2 comes twice");
    assert_unreadable(make_sparse(&good, 2, 4, false), "its shape (2, 4) does not fit");
    assert_unreadable(make_sparse(&good, INT32_MAX, 3, true),
                      "2147483647 rows are more than the file can hold");
}

/* ---- damage
 * --------------------------------------------------------------------------------- */

/* How many cuts of a file are taken for a file. */
static size_t count_accepted(const unsigned char *bytes, size_t size)
{
    size_t accepted = 0;
    for (size_t cut = 1; cut < size; cut++) {
        const char *path = file_put("x.mat", bytes, cut);
        imsat_data *data = NULL;
        imsat_error err;
        if (imsat_data_open(&data, &path, 1, NULL, &err) == IMSAT_OK)
            accepted++;
        else
            assert_message(&err, path, "");
        imsat_data_free(data);
    }
    return accepted;
}

/* Between two variables there is nothing to notice. */
static void a_cut_file_is_refused_wherever_it_is_cut(void **state)
{
    (void)state;
    unsigned char bytes[MOST];
    assert_int_equal(count_accepted(bytes, read_file(KEPT "plain.mat", bytes, MOST)), 0);
    assert_int_equal(count_accepted(bytes, read_file(KEPT "images.mat", bytes, MOST)), 1);
    assert_int_equal(count_accepted(bytes, read_file(KEPT "old.mat", bytes, MOST)), 2);
    const char *path = make(false, false, (const mat_variable *const[]){&x, &y, NULL});
    const size_t size = read_file(path, bytes, sizeof bytes);
    assert_unreadable(file_put("x.mat", bytes, size - 1),
                      "ends inside a variable, after 47 of 48 bytes; it was cut");
    assert_unreadable(file_put("x.mat", bytes, 140), "ends inside a variable");
    assert_unreadable(file_put("x.mat", bytes, 130), "what is at byte 128 is not a variable");
}

static void damage_in_a_compressed_variable_is_noticed(void **state)
{
    (void)state;
    unsigned char bytes[MOST];
    const size_t size =
        read_file(make(false, true, (const mat_variable *const[]){&x, NULL}), bytes, MOST);
    bytes[size - 1] ^= 1;
    assert_unreadable(file_put("x.mat", bytes, size), "incorrect data check");
}

/* The size of the values, behind 8 + 16 + 16 bytes of header and 8 of the name. */
enum { VALUES = 128 + 48 };

static void values_must_be_as_many_as_the_shape_says(void **state)
{
    (void)state;
    unsigned char bytes[MOST];
    mat_variable v = x;
    v.dims[0] = 5;
    assert_unreadable(make_one(&v), "has 12 bytes of values, where 15 are to be");
    v = x;
    v.parts[1] = v.parts[0];
    assert_unreadable(make_one(&v), "goes on after its values");
    const size_t size = read_file(make_one(&x), bytes, MOST);
    assert_int_equal(bytes[VALUES], MAT_U8);
    bytes[VALUES] = 8;
    assert_unreadable(file_put("x.mat", bytes, size), "has no values at byte 48");
    bytes[VALUES - 8] = 77; /* the type of the name */
    assert_unreadable(file_put("x.mat", bytes, size), "the variable at byte 128 is damaged");
}

/* What a header claims takes no memory. */
static void a_claim_is_not_believed(void **state)
{
    (void)state;
    static mat_maker plain, packed;
    static const unsigned char bytes[MOST];
    mat_begin(&plain, false);
    mat_variable v = x;
    v.dims[0] = 1 << 20;
    v.dims[1] = 1 << 10;
    v.parts[0] =
        (mat_values){MAT_U8, bytes, sizeof bytes, 1}; /* beyond the head of a stream */
    mat_add(&plain, &v);
    memcpy(plain.bytes + VALUES + 4, (const unsigned char[]){0, 0, 0, 0x40}, 4);
    assert_unreadable(file_put("x.mat", plain.bytes, plain.size),
                      "ends after 4096 of 1073741824 bytes of values");
    assert_true(mat_pack(&packed, plain.bytes, plain.size));
    imsat_set_max_unpacked(1 << 20);
    assert_unreadable_with(file_put("x.mat", packed.bytes, packed.size), NULL, IMSAT_ENOMEM,
                           "raise that by --max-unpacked");
    imsat_set_max_unpacked(0);
}

static void too_many_variables_are_refused(void **state)
{
    (void)state;
    static unsigned char bytes[128 + 4097 * 56];
    static mat_maker one;
    const mat_variable scalar = {"a", MAT_UINT8, 0, {1, 1}, 2, {{MAT_U8, "", 1, 1}}};
    mat_begin(&one, false);
    mat_add(&one, &scalar);
    const size_t size = one.size - 128;
    assert_int_equal(size, 56);
    memcpy(bytes, one.bytes, 128);
    for (size_t i = 0; i < 4097; i++)
        memcpy(bytes + 128 + i * size, one.bytes + 128, size);
    assert_unreadable(file_put("x.mat", bytes, sizeof bytes),
                      "holds more than 4096 variables");
    assert_unreadable_with(file_put("x.mat", bytes, sizeof bytes - size), NULL, IMSAT_EINVAL,
                           "holds 4096 variables");
}

/* ---- version 4, and others
 * ------------------------------------------------------------------ */

/* Two rows and a column of int16: 258, 515. */
static size_t put_old(unsigned char *out, bool big_endian, uint32_t type, uint32_t complex)
{
    const uint32_t head[] = {type + (big_endian ? 1000 : 0), 2, 1, complex, 2};
    for (size_t i = 0; i < 20; i++)
        out[i] = (unsigned char)(head[i / 4] >> 8 * (big_endian ? 3 - i % 4 : i % 4));
    memcpy(out + 20, "v\0\1\2\2\3\1\2\2\3", 10);
    return 26;
}

static void version_4_is_known_by_its_name(void **state)
{
    (void)state;
    unsigned char bytes[64];
    for (int big = 0; big < 2; big++) {
        const float expected[] = {big ? 258 : 513, big ? 515 : 770};
        imsat_data *data =
            open_with(file_put("old.mat", bytes, put_old(bytes, big, 30, 0)), NULL);
        assert_rows(data, expected, 2, 1);
        assert_string_equal(imsat_data_describe(data, 0), "mat 'v': int16 (2, 1), mapped");
        imsat_data_free(data);
    }
    assert_unreadable(file_put("old.mat", bytes, put_old(bytes, false, 31, 0)),
                      "the variable 'v' is text");
    assert_unreadable(file_put("old.mat", bytes, put_old(bytes, false, 32, 0)),
                      "is a sparse matrix of version 4");
    assert_unreadable(file_put("old.mat", bytes, put_old(bytes, false, 30, 1) + 4),
                      "is an array of complex numbers");
    assert_unreadable(file_put("old.mat", bytes, put_old(bytes, false, 30, 0) - 1),
                      "ends inside the variable 'v', after 3 of 4 bytes");
    assert_unreadable(file_put("old.mat", bytes, put_old(bytes, false, 60, 0)),
                      "does not begin as files of MATLAB do");
}

static void version_73_without_hdf5_is_refused(void **state)
{
    (void)state;
    static mat_maker mat;
    mat_begin(&mat, false);
    mat.bytes[125] = 2;
    assert_unreadable(file_put("x.mat", mat.bytes, mat.size), "which is HDF5, and is not");
}

static void a_compressed_file_is_read(void **state)
{
    (void)state;
    unsigned char bytes[MOST];
    for (int packed = 0; packed < 2; packed++) {
        const char *path = make(false, packed, (const mat_variable *const[]){&x, &y, NULL});
        const size_t size = read_file(path, bytes, MOST);
        assert_data(file_gzip("x.mat.gz", bytes, size), true);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static char paths[][300] = {KEPT "several.mat", KEPT "images_plain.mat",
                                KEPT "several.mat:sparse"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        fail_each_open(paths[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_the_same_numbers),
        cmocka_unit_test(logical_values_are_0_and_1),
        cmocka_unit_test(images_are_counted_by_the_last_dimension),
        cmocka_unit_test(gray_images_in_either_byte_order),
        cmocka_unit_test(a_row_vector_is_a_row_or_labels),
        cmocka_unit_test(the_only_one_of_its_kind_is_the_data),
        cmocka_unit_test(what_is_no_numbers_is_refused_by_its_name),
        cmocka_unit_test(sparse_matrices_are_sparse_rows),
        cmocka_unit_test(damaged_sparse_matrices_are_refused),
        cmocka_unit_test(a_cut_file_is_refused_wherever_it_is_cut),
        cmocka_unit_test(damage_in_a_compressed_variable_is_noticed),
        cmocka_unit_test(values_must_be_as_many_as_the_shape_says),
        cmocka_unit_test(a_claim_is_not_believed),
        cmocka_unit_test(too_many_variables_are_refused),
        cmocka_unit_test(version_4_is_known_by_its_name),
        cmocka_unit_test(version_73_without_hdf5_is_refused),
        cmocka_unit_test(a_compressed_file_is_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mat", tests, folder_setup, folder_teardown);
}
