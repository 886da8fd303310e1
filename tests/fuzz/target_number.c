/* SPDX-License-Identifier: MIT
 * Numbers of text files: what is taken for a number is the double that strtod() gives, to the
 * bit, and what strtod() does not take to the end is no number. */
#include "data/number.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

static void begin(void)
{
    static const char *const texts[] = {
        "0",
        "-7",
        "3.25e-2",
        "+1E5",
        ".5",
        "9007199254740993",
        "1.7976931348623157e308",
        "4.9406564584124654e-324",
        "2.2250738585072011e-308",
        "123456789012345678901234567890",
        "0.00000000000000000000000000000000000000000000000000000001",
        "nan",
        "-inf",
        "8.5e22",
        "1e23"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_seed_text(texts[i]);
}

static bool run(const uint8_t *input, size_t size)
{
    char text[MOST + 1], *end;
    double value = 0;
    memcpy(text, input, size);
    text[size] = '\0';
    const im_number kind = im_number_parse(&value, (const char *)input, size);
    const double expected = strtod(text, &end);
    if (kind == IM_NUMBER_NONE)
        return false;
    REQUIRE(end == text + size && end > text, "'%s' is no number", text);
    REQUIRE((kind == IM_NUMBER_FINITE) == (isfinite(expected) != 0),
            "'%s' is %g, which is taken for the opposite of finite", text, expected);
    REQUIRE(kind != IM_NUMBER_FINITE || memcmp(&value, &expected, sizeof value) == 0,
            "'%s' is read as %.17g, not as %.17g", text, value, expected);
    int32_t whole;
    REQUIRE(kind != IM_NUMBER_FINITE || !im_number_whole(&whole, value) ||
                (double)whole == value || value == 0,
            "'%s' is taken for a whole number", text);
    return true;
}

const fuzz_target fuzz_this = {"number", MOST, begin, run, NULL};
