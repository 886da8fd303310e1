/* SPDX-License-Identifier: MIT
 *
 * Files of vectors and of planes, which go by their names: each input is tried by every name.
 * The values of those that are accepted are read once more from where they must be. */
#include "rows.h"

#include <string.h>

enum { FLOATS, UNSIGNED, SIGNED, INTEGERS };

static const struct {
    const char *path;
    int type;
    size_t width;
    bool by_rows;
} names[] = {{"x.fvecs", FLOATS, 4, true},    {"x.bvecs", UNSIGNED, 1, true},
             {"x.ivecs", INTEGERS, 4, true},  {"x.fbin", FLOATS, 4, false},
             {"x.u8bin", UNSIGNED, 1, false}, {"x.i8bin", SIGNED, 1, false},
             {"x.ibin", INTEGERS, 4, false}};

static void begin(void)
{
    static const uint8_t rows[] = {2, 0, 0, 0, 1, 2, 0,   0,  3, 4, 0, 0,
                                   2, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64};
    static const uint8_t bytes[] = {1, 0, 0, 0, 7, 1, 0, 0, 0, 250};
    static const uint8_t once[] = {2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64};
    static const uint8_t small[] = {2, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 255, 128, 6};
    fuzz_seed(rows, sizeof rows);
    fuzz_seed(bytes, sizeof bytes);
    fuzz_seed(once, sizeof once);
    fuzz_seed(small, sizeof small);
}

static float value_of(int type, const uint8_t *at)
{
    const uint32_t bits = type == UNSIGNED || type == SIGNED
                              ? *at
                              : (uint32_t)at[0] | (uint32_t)at[1] << 8 |
                                    (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    switch (type) {
    case FLOATS: return value;
    case UNSIGNED: return (float)bits;
    case SIGNED: return (float)(int8_t)bits;
    default: return (float)(int32_t)bits;
    }
}

static void check(const fuzz_rows *r, const uint8_t *input, size_t size, size_t n)
{
    const size_t width = names[n].width, row = r->dim * width;
    const size_t expected = names[n].by_rows ? r->rows * (4 + row) : 8 + r->rows * row;
    REQUIRE(size == expected, "%zu rows of %zu in %zu bytes", r->rows, r->dim, size);
    for (size_t i = 0; i < r->rows; i++)
        for (size_t j = 0; j < r->dim; j++) {
            const size_t place =
                (names[n].by_rows ? 4 + i * (4 + row) : 8 + i * row) + j * width;
            const float value = value_of(names[n].type, input + place);
            REQUIRE(memcmp(&value, &r->x[i * r->dim + j], sizeof value) == 0,
                    "(%zu, %zu) is %g, not %g", i, j, (double)r->x[i * r->dim + j],
                    (double)value);
        }
}

/* Labels of STL-10, a byte each; all other files of planes have larger records than inputs. */
static void try_planes(const uint8_t *input, size_t size)
{
    static fuzz_rows r;
    fuzz_file_put("train_y.bin", input, size);
    if (rows_read(&r, "train_y.bin", size, NULL))
        REQUIRE(r.rows == size && r.dim == 1, "%zu labels of %zu bytes", r.rows, size);
    fuzz_file_put("train_X.bin", input, size);
    REQUIRE(!rows_read(&r, "train_X.bin", size, NULL), "images in %zu bytes", size);
}

/* A line of JSON closes what it opens. */
static bool may_be_json(const uint8_t *input, size_t size)
{
    size_t i = 0;
    while (i < size && memchr(" \t\r\n\xEF\xBB\xBF", input[i], 7))
        i++;
    return i < size && (input[i] == '[' || input[i] == '{') &&
           memchr(input + i, input[i] + 2, size - i);
}

/* The contents are those of another format, and decide. */
static bool is_other(const uint8_t *input, size_t size)
{
    if (may_be_json(input, size))
        return true;
    return size >= 4 && ((input[0] == 0 && input[1] == 0) || memcmp(input, "PK", 2) == 0 ||
                         memcmp(input, "\x93N", 2) == 0);
}

static bool run(const uint8_t *input, size_t size)
{
    static fuzz_rows r;
    bool accepted = false;
    if (is_other(input, size))
        return false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        fuzz_files_clear();
        fuzz_file_put(names[n].path, input, size);
        if (!rows_read(&r, names[n].path, size, NULL))
            continue;
        check(&r, input, size, n);
        accepted = true;
    }
    fuzz_files_clear();
    try_planes(input, size);
    return accepted;
}

const fuzz_target fuzz_this = {"vecs", ROWS_MOST / 2, begin, run, NULL};
