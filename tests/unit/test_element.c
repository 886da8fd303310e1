/* SPDX-License-Identifier: MIT
 * Elements: every half, rounding of wide integers, strides. */
#include "data/element.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* The value of a half by its definition. */
static double half_by_definition(unsigned half)
{
    const double sign = half & 0x8000U ? -1 : 1;
    const int exponent = (int)(half >> 10 & 0x1f);
    const double fraction = half & 0x3ff;
    if (exponent == 31)
        return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign *
           (exponent ? ldexp(1 + fraction / 1024, exponent - 15) : ldexp(fraction, -24));
}

static void every_half_is_right(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        const uint16_t half = (uint16_t)h, other = (uint16_t)(h << 8 | h >> 8);
        const im_elements in = {(const unsigned char *)&half, 2, 1, IM_F16, false};
        const im_elements swapped = {(const unsigned char *)&other, 2, 1, IM_F16, true};
        const double expected = half_by_definition(h);
        float value, again;
        double wide;
        im_elements_float(&value, &in);
        im_elements_float(&again, &swapped);
        im_elements_double(&wide, &in);
        if (isnan(expected)) {
            assert_true(isnan(value) && isnan(again) && isnan(wide));
            continue;
        }
        assert_true((double)value == expected && (double)again == expected &&
                    wide == expected);
        assert_int_equal(signbit(value) != 0, h >> 15);
    }
}

static void a_bfloat_is_half_of_a_float(void **state)
{
    (void)state;
    const uint16_t halves[] = {0x3f80, 0xc020, 0x0001, 0x7f7f};
    const float expected[] = {1, -2.5f, 0x1p-133f, 0x1.fep127f};
    const im_elements in = {(const unsigned char *)halves, 2, 4, IM_BF16, false};
    float floats[4];
    double doubles[4];
    im_elements_float(floats, &in);
    im_elements_double(doubles, &in);
    for (size_t i = 0; i < 4; i++)
        assert_true(floats[i] == expected[i] && doubles[i] == (double)expected[i]);
}

static void integers_are_rounded_once(void **state)
{
    (void)state;
    /* Just above the middle of two floats: by way of double it would become the middle. */
    const int64_t tie[1] = {(INT64_C(1) << 60) + (INT64_C(1) << 36) + 1};
    const im_elements in = {(const unsigned char *)tie, 8, 1, IM_I64, false};
    float value;
    im_elements_float(&value, &in);
    assert_true(value == 0x1p60f + 0x1p37f);
}

static void strides_and_odd_addresses(void **state)
{
    (void)state;
    unsigned char bytes[1 + 37 * 7];
    float out[37];
    for (size_t stride = 4; stride <= 7; stride++) {
        for (size_t i = 0; i < 37; i++) {
            const float value = (float)i - 11.5f;
            memcpy(bytes + 1 + i * stride, &value, sizeof value);
        }
        const im_elements in = {bytes + 1, stride, 37, IM_F32, false};
        im_elements_float(out, &in);
        for (size_t i = 0; i < 37; i++)
            assert_true(out[i] == (float)i - 11.5f);
    }
}

static void sizes_and_kinds(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
    for (im_dtype t = IM_BOOL; t <= IM_F64; t++) {
        assert_int_equal(im_dtype_size(t), sizes[t]);
        assert_int_equal(im_dtype_is_float(t), t >= IM_F16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_right),
        cmocka_unit_test(a_bfloat_is_half_of_a_float),
        cmocka_unit_test(integers_are_rounded_once),
        cmocka_unit_test(strides_and_odd_addresses),
        cmocka_unit_test(sizes_and_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
