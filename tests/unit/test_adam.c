/* SPDX-License-Identifier: MIT
 * Adam beside the formulas of Kingma and Ba (2015), with the moments corrected one by one. */
#include "nn/adam.h"

#include "failing_alloc.h"
#include "support.h"

#include <math.h>

enum { N = 37, STEPS = 5 };

static const double RATE = 0.002;

static im_real gradient(size_t i, size_t step)
{
    return (im_real)(0.3 * cos((double)(3 * i + 7 * step)) + 0.1);
}

/* Parameters, gradient and both moments of the paper's algorithm, in double. */
typedef struct plain {
    double w[N], m[N], v[N];
} plain;

static void plain_step(plain *p, size_t step)
{
    const double t = (double)step;
    for (size_t i = 0; i < N; i++) {
        const double g = (double)gradient(i, step);
        p->m[i] = 0.9 * p->m[i] + 0.1 * g;
        p->v[i] = 0.999 * p->v[i] + 0.001 * g * g;
        const double mean = p->m[i] / (1 - pow(0.9, t));
        const double square = p->v[i] / (1 - pow(0.999, t));
        p->w[i] -= RATE * mean / (sqrt(square) + 1e-8 / sqrt(1 - pow(0.999, t)));
    }
}

/* Updated in two ranges, as layers are. */
static void test_steps(void **state)
{
    (void)state;
    imsat_error err;
    im_adam adam;
    plain p = {.w = {0}};
    im_real w[N], g[N];
    assert_ok(im_adam_new(&adam, N, RATE, &err), &err);
    for (size_t i = 0; i < N; i++) {
        w[i] = (im_real)(0.01 * (double)i);
        p.w[i] = (double)w[i];
    }
    for (size_t step = 1; step <= STEPS; step++) {
        for (size_t i = 0; i < N; i++)
            g[i] = gradient(i, step);
        im_adam_begin(&adam);
        im_adam_update(&adam, w, g + 11, 11, N - 11);
        im_adam_update(&adam, w, g, 0, 11);
        plain_step(&p, step);
        for (size_t i = 0; i < N; i++)
            if (!(fabs((double)w[i] - p.w[i]) <= 1e-7))
                fail_msg("step %zu: parameter %zu is %.9g, not %.9g", step, i, (double)w[i],
                         p.w[i]);
    }
    im_adam_clear(&adam);
}

static imsat_status make(void *context, imsat_error *err)
{
    im_adam adam = {0};
    (void)context;
    const imsat_status st = im_adam_new(&adam, N, RATE, err);
    if (st != IMSAT_OK)
        assert_null(adam.m);
    im_adam_clear(&adam);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(make, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
