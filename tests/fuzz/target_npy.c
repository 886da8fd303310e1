/* SPDX-License-Identifier: MIT
 *
 * .npy files as data. Those that are accepted are read once more, by the few lines that remain
 * if a file is known to be good: the elements are the last bytes, and their values must be the
 * same. */
#include "rows.h"

#include <math.h>
#include <string.h>

static void begin(void)
{
    rows_seed_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 3), }\n", 60);
    rows_seed_npy(2, "{'shape': (3, 5), 'fortran_order': True, 'descr': '>f8'}", 120);
    rows_seed_npy(3, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 2, 1)}", 24);
    rows_seed_npy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (7,)}", 56);
    rows_seed_npy(1, "{'descr': '>u2', 'fortran_order': True, 'shape': (7,)}", 14);
    rows_seed_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3, 2)}", 12);
}

/* The descr of a header that is known to be good: what is in quotes behind the key. */
static const char *find_descr(const uint8_t *input, size_t size)
{
    for (size_t i = 0; i + 12 < size; i++)
        if (memcmp(input + i, "descr", 5) == 0)
            for (size_t j = i + 6; j + 4 < size; j++)
                if (input[j] == '\'' || input[j] == '"')
                    return (const char *)input + j + 1;
    return NULL;
}

static bool find_text(const uint8_t *input, size_t size, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(input + i, text, length) == 0)
            return true;
    return false;
}

static double half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    const double value =
        exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

/* The element of a type such as "i4", most significant byte first or last. */
static float value_of(const char *type, bool big, const uint8_t *bytes)
{
    const size_t width = (size_t)(type[1] - '0');
    uint64_t bits = 0;
    float single;
    double wide;
    for (size_t i = 0; i < width; i++)
        bits = bits << 8 | bytes[big ? i : width - 1 - i];
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    if (type[0] == 'f')
        return width == 2 ? (float)half(bits) : width == 4 ? single : (float)wide;
    if (type[0] == 'b')
        return bits != 0;
    if (type[0] == 'i') /* the sign goes up to the top and, by a division, back */
        return (float)((int64_t)(bits << (64 - 8 * width)) / ((int64_t)1 << (64 - 8 * width)));
    return (float)bits;
}

static bool run(const uint8_t *input, size_t size)
{
    static fuzz_rows r;
    fuzz_file_put("x.npy", input, size);
    if (!rows_read(&r, "x.npy", size, NULL))
        return false;
    if (input[0] != 0x93)
        return true; /* the contents are those of an idx file, and decide */
    const char *descr = find_descr(input, size);
    REQUIRE(descr, "an npy file without a dtype");
    const size_t count = r.rows * r.dim, width = (size_t)(descr[2] - '0');
    const uint8_t *elements = input + size - count * width;
    const bool fortran = find_text(input, (size_t)(elements - input), "True");
    for (size_t i = 0; i < count; i++) {
        const size_t place = fortran ? i % r.dim * r.rows + i / r.dim : i;
        const float value = value_of(descr + 1, descr[0] == '>', elements + place * width);
        REQUIRE(memcmp(&value, &r.x[i], sizeof value) == 0, "value %zu is %g, not %g", i,
                (double)r.x[i], (double)value);
    }
    return true;
}

const fuzz_target fuzz_this = {"npy", ROWS_MOST, begin, run, NULL};
