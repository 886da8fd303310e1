/* SPDX-License-Identifier: MIT
 * Fourier transforms beside the sum that defines them, and the refusal of a build without. */
#include "features/fourier.h"

#include "core/alloc.h"
#include "core/feature.h"
#include "imsat/build.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 5, WIDTH = 6, SIZE = 2 * HEIGHT * WIDTH };

#define TURN 6.28318530717958647692

/* One element of the transform, or, with sign 1, of the inverse. */
static void sum_at(double sum[2], const double *x, size_t u, size_t v, double sign)
{
    sum[0] = sum[1] = 0;
    for (size_t i = 0; i < HEIGHT; i++)
        for (size_t j = 0; j < WIDTH; j++) {
            const double angle =
                sign * TURN * ((double)(u * i) / HEIGHT + (double)(v * j) / WIDTH);
            const double *at = x + 2 * (i * WIDTH + j);
            sum[0] += at[0] * cos(angle) - at[1] * sin(angle);
            sum[1] += at[0] * sin(angle) + at[1] * cos(angle);
        }
}

static void assert_transform(const double *x, const double *of, size_t first, size_t rows,
                             double sign)
{
    for (size_t u = first; u < first + rows; u++)
        for (size_t v = 0; v < WIDTH; v++) {
            double expected[2];
            sum_at(expected, of, u, v, sign);
            assert_near(x[2 * (u * WIDTH + v)], expected[0], 1e-12);
            assert_near(x[2 * (u * WIDTH + v) + 1], expected[1], 1e-12);
        }
}

static void transforms_are_the_sums(void **state)
{
    enum { FIRST = 1, ROWS = 3 };
    (void)state;
    imsat_error err;
    im_fourier *fourier = NULL;
    const imsat_status st = im_fourier_new(&fourier, HEIGHT, WIDTH, FIRST, ROWS, "x", &err);
    if (!imsat_feature_built(IM_FEATURE_FFTW)) {
        assert_refused(st, &err, IMSAT_EIO,
                       "x: needs Fourier transforms, and this imsat was built without fftw; "
                       "install libfftw3-dev and build again");
        return;
    }
    assert_ok(st, &err);
    double *x = im_alloc(SIZE, sizeof *x), before[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        x[i] = before[i] = (double)(i * i % 17) - 3;
    im_fourier_forward(fourier, x);
    assert_transform(x, before, 0, HEIGHT, -1);
    memcpy(x, before, sizeof before);
    im_fourier_backward(fourier, x);
    assert_transform(x, before, FIRST, ROWS, 1);
    im_free(x);
    im_fourier_free(fourier);
}

static void a_size_beyond_memory_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_fourier *fourier = NULL;
    if (!imsat_feature_built(IM_FEATURE_FFTW))
        skip();
    assert_refused(im_fourier_new(&fourier, (size_t)1 << 40, 2, 0, 1, "x", &err), &err,
                   IMSAT_EINVAL, "x: a transform of 1099511627776 x 2 is too large");
    assert_null(fourier);
    im_fourier_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_the_sums),
        cmocka_unit_test(a_size_beyond_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
