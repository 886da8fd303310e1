/* SPDX-License-Identifier: MIT
 * The largest eigenvalues of an operator whose eigenvectors are known: reflected axes. */
#include "linear/krylov.h"

#include "failing_alloc.h"
#include "stopping.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { N = 211, MANY = 5 };

typedef struct known {
    double value[N];
    double v[N]; /* of length 1: eigenvector e is axis e, reflected by I - 2 v v^T */
    size_t calls;
} known;

/* `many` values are 1; the others fall to below 0. */
static void make(known *a, size_t many)
{
    double square = 0;
    for (size_t i = 0; i < N; i++) {
        a->value[i] = i < many ? 1 : 0.95 - 0.01 * (double)(i - many);
        a->v[i] = 1 + (double)(i * i % 13);
        square += a->v[i] * a->v[i];
    }
    for (size_t i = 0; i < N; i++)
        a->v[i] /= sqrt(square);
    a->calls = 0;
}

static void reflect(double *x, const double *v)
{
    double dot = 0;
    for (size_t i = 0; i < N; i++)
        dot += x[i] * v[i];
    for (size_t i = 0; i < N; i++)
        x[i] -= 2 * dot * v[i];
}

static imsat_status multiply(void *context, double *y, const double *x, size_t count,
                             const im_stage *stage, imsat_error *err)
{
    known *a = context;
    assert_true(count <= IM_KRYLOV_BLOCK);
    for (size_t c = 0; c < count; c++, a->calls++) {
        memcpy(y + c * N, x + c * N, N * sizeof *y);
        reflect(y + c * N, a->v);
        for (size_t i = 0; i < N; i++)
            y[c * N + i] *= a->value[i];
        reflect(y + c * N, a->v);
    }
    return im_stage_report(stage, 0, err);
}

static void check(size_t many, size_t want)
{
    static known a;
    im_krylov found;
    imsat_error err;
    const im_krylov_options options = {N, want, 1e-10, 500};
    make(&a, many);
    assert_ok(im_krylov_find(&found, &options, multiply, &a, NULL, &err), &err);
    assert_true(found.converged);
    for (size_t e = 0; e < want; e++) {
        double *z = found.vectors + e * N;
        double inside = 0;
        assert_near(found.value[e], a.value[e], 1e-12);
        reflect(z, a.v);
        for (size_t i = 0; i < N; i++)
            if (fabs(a.value[i] - a.value[e]) < 1e-9)
                inside += z[i] * z[i];
        assert_near(inside, 1, 1e-12);
    }
    im_krylov_clear(&found);
}

static void values_and_vectors(void **state)
{
    (void)state;
    check(1, 1);
    check(1, 7);
    check(1, 30);
    check(1, N);
}

/* As many as are wanted, where they are all the same. */
static void a_value_that_repeats_is_found_that_often(void **state)
{
    (void)state;
    check(MANY, 2);
    check(MANY, MANY);
    check(MANY, MANY + 3);
    check(30, 30);
}

static void rounds_may_run_out(void **state)
{
    (void)state;
    static known a;
    im_krylov found;
    const im_krylov_options options = {N, 3, 1e-10, 2};
    make(&a, 1);
    assert_ok(im_krylov_find(&found, &options, multiply, &a, NULL, NULL), NULL);
    assert_false(found.converged);
    assert_true(a.calls <= 3 + 3 * IM_KRYLOV_BLOCK);
    assert_near(found.value[0], 1, 0.2);
    im_krylov_clear(&found);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    static known a;
    imsat_error err;
    im_krylov found = {0};
    const im_krylov_options options = {N, 3, 1e-10, 100};
    make(&a, 1);
    assert_stopped(im_krylov_find(&found, &options, multiply, &a, &stopping, &err));
    assert_null(found.vectors);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    im_krylov found = {0};
    const im_krylov_options options = {N, 3, 1e-3, 100};
    const imsat_status st = im_krylov_find(&found, &options, multiply, context, NULL, err);
    im_krylov_clear(&found);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static known a;
    make(&a, 1);
    assert_int_equal(fail_each(try_once, &a), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_vectors),
        cmocka_unit_test(a_value_that_repeats_is_found_that_often),
        cmocka_unit_test(rounds_may_run_out),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
