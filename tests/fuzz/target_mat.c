/* SPDX-License-Identifier: MIT
 *
 * Files of MATLAB, of version 5 and 4, as data: by the file's own name and by those of
 * variables. Most inputs are plain files, and each is also read with its variables compressed:
 * what comes of both must be the same. */
#include "imsat/process.h"
#include "mats.h"
#include "rows.h"
#include "sparse.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1024, TAG = 8 };

static const double NUMBERS[] = {0, 3, 1, 4, 2, 5, 7, 9, 8, 6, 11, 10};
static const unsigned char BYTES[] = {1, 0, 2, 1, 0, 2, 2, 1, 0, 1, 2, 0};

static void seed_old(void)
{
    static const unsigned char old[] = {50, 0, 0, 0, 2, 0, 0,   0, 3, 0, 0, 0, 0, 0,
                                        0,  0, 2, 0, 0, 0, 'x', 0, 1, 2, 3, 4, 5, 6};
    fuzz_seed(old, sizeof old);
}

static void seed_sparse(void)
{
    static const int32_t rows[] = {1, 0, 0}, starts[] = {0, 1, 2, 3};
    static mat_maker mat;
    mat_begin(&mat, false);
    mat_add(&mat,
            &(mat_variable){
                "s",
                MAT_SPARSE,
                0,
                {2, 3},
                2,
                {{MAT_I32, rows, 3, 4}, {MAT_I32, starts, 4, 4}, {MAT_F64, NUMBERS, 3, 8}}});
    fuzz_seed(mat.bytes, mat.size);
}

static void begin(void)
{
    static const mat_variable variables[] = {
        {"x", MAT_DOUBLE, 0, {4, 3}, 2, {{MAT_F64, NUMBERS, 12, 8}}},
        {"x", MAT_UINT8, MAT_LOGICAL, {4, 3}, 2, {{MAT_U8, BYTES, 12, 1}}},
        {"x", MAT_UINT8, 0, {1, 3, 4}, 3, {{MAT_U8, BYTES, 12, 1}}},
        {"x", MAT_UINT8, 0, {1, 1, 3, 4}, 4, {{MAT_U8, BYTES, 12, 1}}}};
    static const mat_variable labels = {"y",    MAT_DOUBLE, 0,
                                        {1, 4}, 2,          {{MAT_U8, BYTES, 4, 1}}};
    static mat_maker mat, packed;
    imsat_set_max_unpacked(ROWS_MOST);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        mat_begin(&mat, i % 2);
        mat_add(&mat, &variables[i]);
        mat_add(&mat, &labels);
        fuzz_seed(mat.bytes, mat.size);
        mat_pack(&packed, mat.bytes, mat.size);
        fuzz_seed(packed.bytes, packed.size);
    }
    seed_sparse();
    seed_old();
}

/* Numbers that the format has a meaning for, at places where they have one. */
static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    static const uint8_t meant[] = {0,  1,  2,  3,  4,  5,  6,    7,   9,
                                    12, 13, 14, 15, 16, 17, 0x08, 0xff};
    if (size < 128 + TAG || fuzz_below(2))
        return LLVMFuzzerMutate(input, size, room);
    const size_t at = 128 + fuzz_below((size - 128) / 4) * 4 + fuzz_below(2);
    input[at] = meant[fuzz_below(sizeof meant)];
    return size;
}

/* Whether it is refused for what it would take, or is too large for a comparison. */
static bool is_large(const char *path, bool *sparse)
{
    imsat_data *data = NULL;
    imsat_error err;
    const imsat_status st = imsat_data_open(&data, &path, 1, NULL, &err);
    const bool large = st == IMSAT_OK
                           ? imsat_data_rows(data) * imsat_data_dim(data) > ROWS_MOST
                           : st == IMSAT_ENOMEM && strstr(err.message, "--max-unpacked");
    *sparse = st == IMSAT_OK && strstr(imsat_data_describe(data, 0), ": sparse (");
    imsat_data_free(data);
    return large;
}

typedef enum outcome { REFUSED, ACCEPTED, LARGE } outcome;

static outcome try_path(fuzz_rows *r, const char *path)
{
    bool sparse = false;
    r->rows = r->dim = 0;
    if (is_large(path, &sparse))
        return LARGE;
    if (sparse)
        return sparse_read(path, ROWS_MOST) ? ACCEPTED : REFUSED;
    return rows_read(r, path, ROWS_MOST, NULL) ? ACCEPTED : REFUSED;
}

static bool same(const fuzz_rows *a, const fuzz_rows *b)
{
    return a->rows == b->rows && a->dim == b->dim &&
           memcmp(a->x, b->x, a->rows * a->dim * sizeof *a->x) == 0;
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const paths[][2] = {{"x.mat", "p.mat"}, {"x.mat:x", "p.mat:x"}};
    static fuzz_rows plain, unpacked;
    static mat_maker packed;
    bool accepted = false;
    const bool compare = mat_pack(&packed, input, size);
    fuzz_file_put("x.mat", input, size);
    fuzz_file_put("p.mat", packed.bytes, packed.size);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const outcome first = try_path(&plain, paths[i][0]);
        const outcome second = compare ? try_path(&unpacked, paths[i][1]) : LARGE;
        accepted |= first == ACCEPTED;
        if (first == LARGE || second == LARGE)
            continue;
        REQUIRE(first == second, "%s is %s, compressed it is %s", paths[i][0],
                first == ACCEPTED ? "read" : "refused",
                second == ACCEPTED ? "read" : "refused");
        REQUIRE(same(&plain, &unpacked), "%s has other numbers, compressed", paths[i][0]);
    }
    return accepted;
}

const fuzz_target fuzz_this = {"mat", MOST, begin, run, mutate};
