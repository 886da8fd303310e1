/* SPDX-License-Identifier: MIT
 * What follows the product of a layer that is not normalized: outputs, slopes, and numbers
 * that are not finite. Gradients are in grad/test_autoencoder. */
#include "nn/activation.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { N = 41 };

/* From -4 to 4, and near 0, where the hyperbolic tangent is a series. */
static im_real argument(size_t i)
{
    return (im_real)(i % 3 ? -4 + 0.2 * (double)i : 1e-4 * ((double)i - 20));
}

static double expected(double y, im_form form)
{
    return form == IM_FORM_TANH ? tanh(y) : form == IM_FORM_RELU ? fmax(y, 0) : y;
}

static double expected_slope(double y, im_form form)
{
    return form == IM_FORM_TANH ? 1 - pow(tanh(y), 2) : form == IM_FORM_RELU ? y > 0 : 1;
}

static void outputs_and_slopes_are_as_defined(void **state)
{
    (void)state;
    const im_real bias = (im_real)0.25;
    for (im_form form = IM_FORM_RELU; form < IM_FORMS; form++) {
        im_real z[N], a[N];
        for (size_t i = 0; i < N; i++)
            z[i] = argument(i);
        assert_true(im_activation_forward(a, z, bias, form, N));
        for (size_t i = 0; i < N; i++) {
            const double y = (double)(im_real)(argument(i) + bias);
            assert_near((double)a[i], expected(y, form), 2e-7 * fabs(expected(y, form)));
            assert_near((double)z[i], expected_slope(y, form), 1e-6);
            assert_true(a[i] == im_activation(argument(i) + bias, form));
        }
    }
}

static void the_way_back_takes_the_slopes(void **state)
{
    (void)state;
    im_real da[3] = {2, -3, 5};
    const im_real slope[3] = {1, 0, (im_real)0.5};
    assert_near(im_activation_backward(da, slope, 3), 4.5, 0);
    assert_true(da[0] == 2 && da[1] == 0 && da[2] == (im_real)2.5);
}

/* The output of a ReLU does not tell, but the slope does. */
static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    for (im_form form = IM_FORM_RELU; form < IM_FORMS; form++) {
        im_real z[3] = {1, (im_real)-INFINITY, 2}, a[3];
        assert_false(im_activation_forward(a, z, 0, form, 3));
        assert_true(isnan(z[1]) && isfinite(z[0]) && isfinite(z[2]));
    }
}

static void forms_have_names(void **state)
{
    (void)state;
    assert_string_equal(im_form_name(IM_FORM_TANH), "tanh");
    assert_null(im_form_name(IM_FORMS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_and_slopes_are_as_defined),
        cmocka_unit_test(the_way_back_takes_the_slopes),
        cmocka_unit_test(what_is_not_finite_is_told),
        cmocka_unit_test(forms_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
