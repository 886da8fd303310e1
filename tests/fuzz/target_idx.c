/* SPDX-License-Identifier: MIT
 * idx files as data. The values of those that are accepted are read once more from the bytes
 * behind the header. */
#include "rows.h"

#include <string.h>

static void begin(void)
{
    static const uint8_t images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0,
                                     1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};
    static const uint8_t doubles[] = {0, 0, 0x0E, 1, 0, 0, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t shorts[] = {0, 0, 0x0B, 2,    0, 0, 0,    2,    0, 0,
                                     0, 2, 0xff, 0xfe, 0, 1, 0x80, 0x00, 1, 2};
    static const uint8_t colors[] = {0, 0, 9, 4, 0, 0, 0, 1, 0, 0, 0,   1,
                                     0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 0xfd};
    static const uint8_t floats[] = {0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3f, 0x80, 0, 0};
    static const uint8_t ints[] = {0, 0, 0x0C, 1, 0, 0, 0, 1, 0, 1, 0, 0};
    fuzz_seed(images, sizeof images);
    fuzz_seed(doubles, sizeof doubles);
    fuzz_seed(shorts, sizeof shorts);
    fuzz_seed(colors, sizeof colors);
    fuzz_seed(floats, sizeof floats);
    fuzz_seed(ints, sizeof ints);
}

/* The element at `bytes` of idx's type. */
static float value_of(uint8_t type, size_t width, const uint8_t *bytes)
{
    uint64_t bits = 0;
    float single;
    double wide;
    for (size_t i = 0; i < width; i++)
        bits = bits << 8 | bytes[i];
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    switch (type) {
    case 0x08: return (float)bits;
    case 0x09: return (float)(int8_t)bits;
    case 0x0B: return (float)(int16_t)bits;
    case 0x0C: return (float)(int32_t)bits;
    case 0x0D: return single;
    default: return (float)wide;
    }
}

static bool run(const uint8_t *input, size_t size)
{
    static fuzz_rows r;
    static const size_t widths[] = {[8] = 1, [9] = 1, [11] = 2, [12] = 4, [13] = 4, [14] = 8};
    fuzz_file_put("x-idx3-ubyte", input, size);
    if (!rows_read(&r, "x-idx3-ubyte", size, NULL))
        return false;
    if (input[0] != 0)
        return true; /* the contents are those of an npy file, and decide */
    REQUIRE(input[2] >= 8 && input[2] <= 14 && widths[input[2]], "a type %u", input[2]);
    const size_t width = widths[input[2]], header = 4 + 4 * (size_t)input[3];
    REQUIRE(header + r.rows * r.dim * width == size, "%zu rows of %zu in %zu bytes", r.rows,
            r.dim, size);
    for (size_t i = 0; i < r.rows * r.dim; i++) {
        const float value = value_of(input[2], width, input + header + i * width);
        REQUIRE(memcmp(&value, &r.x[i], sizeof value) == 0, "value %zu is %g, not %g", i,
                (double)r.x[i], (double)value);
    }
    return true;
}

const fuzz_target fuzz_this = {"idx", ROWS_MOST, begin, run, NULL};
