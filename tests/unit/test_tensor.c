/* SPDX-License-Identifier: MIT
 * Elements of tensors against their range. */
#include "data/tensor.h"

#include "support.h"

#include <math.h>

static im_tensor tensor_of(im_tensor_type type, const void *data, size_t rows, size_t columns)
{
    static char name[] = "name";
    return (im_tensor){
        .name = name, .type = type, .dims = 2, .shape = {rows, columns}, .data = data};
}

static void every_type_is_read(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    const float f32[6] = {0, 1, -2, 3, 1e30F, -1e-30F};
    const double f64[6] = {0, 1, -2, 3, 1e300, -1e-300};
    const int32_t i32[6] = {0, 1, 2, 3, INT32_MAX, 5};
    const uint32_t u32[6] = {0, 1, 2, 3, UINT32_MAX, 5};
    const uint8_t u8[6] = {0, 1, 2, 3, 255, 5};
    const struct {
        im_tensor_type type;
        const void *data;
        double most;
    } cases[] = {{IM_TENSOR_F32, f32, inf},
                 {IM_TENSOR_F64, f64, inf},
                 {IM_TENSOR_I32, i32, INT32_MAX},
                 {IM_TENSOR_U32, u32, UINT32_MAX},
                 {IM_TENSOR_U8, u8, 255}};
    imsat_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const im_tensor t = tensor_of(cases[i].type, cases[i].data, 2, 3);
        assert_ok(im_tensor_check(&t, "file", -inf, cases[i].most, &err), &err);
        assert_refused(im_tensor_check(&t, "file", -inf, 200, &err), &err, IMSAT_EFORMAT,
                       "file: element 4 of name is ");
    }
    const im_tensor none = tensor_of(IM_TENSOR_F32, NULL, 0, 3);
    assert_ok(im_tensor_check(&none, "file", 0, 0, &err), &err);
}

static void messages_say_what_must_be(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    float x[3] = {0, -1, NAN};
    const im_tensor t = tensor_of(IM_TENSOR_F32, x, 3, 1);
    imsat_error err;
    assert_refused(im_tensor_check(&t, "file", -inf, inf, &err), &err, IMSAT_EFORMAT,
                   "file: element 2 of name is nan, and must be finite");
    assert_refused(im_tensor_check(&t, "file", 0, inf, &err), &err, IMSAT_EFORMAT,
                   "file: element 1 of name is -1, and must be 0 or more, and finite");
    assert_refused(im_tensor_check(&t, "file", 0, 9, &err), &err, IMSAT_EFORMAT,
                   "file: element 1 of name is -1, and must be from 0 to 9");
    x[1] = 0;
    x[2] = INFINITY;
    assert_refused(im_tensor_check(&t, "file", 0, inf, &err), &err, IMSAT_EFORMAT,
                   "element 2 of name is inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(messages_say_what_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
