/* SPDX-License-Identifier: MIT
 * sigma_t against the plain double loop. tsan: threads_do_not_change_the_bits,
 * many_shapes_agree_with_the_oracle, progress_rises_and_can_stop. */
#include "neighbors/radius.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "neighbors/shortcut.h"
#include "support.h"

#include <math.h>

typedef struct fixture {
    size_t n, d;
    float *x; /* (n,d) */
    im_block block;
    imsat_data data;
    im_preprocess pre;
} fixture;

static void make(fixture *f, size_t n, size_t d)
{
    *f = (fixture){.n = n, .d = d, .pre = {.dim = d, .scale = 1, .factor = 1}};
    f->x = im_alloc(n * d, sizeof *f->x);
    assert_non_null(f->x);
    for (size_t i = 0; i < n; i++)
        im_rng_normals(f->x + i * d, d, (im_rng){.seed = 8, .stream = IM_STREAM_INIT},
                       (uint32_t)i);
    f->block = (im_block){.base = (const unsigned char *)f->x,
                          .dtype = IM_F32,
                          .rows = n,
                          .dim = d,
                          .row_stride = d * sizeof *f->x,
                          .col_stride = sizeof *f->x};
    f->data = (imsat_data){.blocks = &f->block, .nblocks = 1, .rows = n, .dim = d};
}

static float *exact(const fixture *f, size_t t, int threads)
{
    im_pool *pool = NULL;
    float *radius = im_alloc(f->n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_pool_new(&pool, threads, NULL), IMSAT_OK);
    assert_int_equal(im_radius_exact(radius, &f->data, &f->pre, t, pool, NULL, NULL),
                     IMSAT_OK);
    im_pool_free(pool);
    return radius;
}

/* Rounding to float is all that may differ, and the order of the sum. */
static void compare(const fixture *f, size_t t)
{
    float *radius = exact(f, t, 2);
    double *expected = im_alloc(f->n, sizeof *expected);
    assert_non_null(expected);
    assert_int_equal(im_radius_ref(expected, &f->data, &f->pre, t, NULL), IMSAT_OK);
    for (size_t i = 0; i < f->n; i++)
        assert_true(fabs(radius[i] - expected[i]) <= 1e-7 * expected[i]);
    im_free(radius);
    im_free(expected);
}

static void many_shapes_agree_with_the_oracle(void **state)
{
    (void)state;
    const struct {
        size_t n, d, t;
    } shape[] = {{2, 1, 1},     {3, 2, 1},   {97, 1, 4},    {100, 13, 99}, {131, 33, 7},
                 {257, 64, 10}, {259, 5, 1}, {384, 3, 50},  {577, 70, 10}, {700, 17, 23},
                 {41, 6, 40},   {41, 6, 41}, {41, 6, 1000}, {1, 1, 0}};
    for (size_t i = 0; shape[i].t > 0; i++) {
        fixture f;
        make(&f, shape[i].n, shape[i].d);
        compare(&f, shape[i].t);
        im_free(f.x);
    }
}

/* sigma_t of row i by the definition, t at most 40. */
static double sigma_of(const fixture *f, size_t i, size_t t)
{
    double nearest[41];
    for (size_t k = 0; k <= t; k++)
        nearest[k] = INFINITY;
    for (size_t other = 0; other < f->n; other++) {
        double sq = 0;
        for (size_t j = 0; j < f->d; j++) {
            const double difference = (double)f->x[i * f->d + j] - f->x[other * f->d + j];
            sq += difference * difference;
        }
        size_t place = t + 1;
        for (; place > 0 && sq < nearest[place - 1]; place--)
            if (place <= t)
                nearest[place] = nearest[place - 1];
        if (place <= t)
            nearest[place] = sq;
    }
    return sqrt(nearest[t]); /* nearest[0] is the row itself */
}

static void compare_some(const fixture *f, const float *radius, size_t t, size_t step)
{
    for (size_t i = 0; i < f->n; i += step) {
        const double expected = sigma_of(f, i, t);
        assert_true(fabs(radius[i] - expected) <= 1e-7 * expected);
    }
}

/* Enough rows for blocks wider than one strip of columns; the oracle on some of them. */
static void wide_blocks_agree_with_the_definition(void **state)
{
    (void)state;
    fixture f;
    make(&f, 15601, 6);
    float *radius = exact(&f, 4, 2);
    compare_some(&f, radius, 4, 301);
    im_free(radius);
    im_free(f.x);
}

/* ---- by sketches ------------------------------------------------------------- */

/* Columns beyond the first 12 vary little, so that sketches are good for something. Or not at
 * all, but in the first `clump` rows, which differ only there, in more directions than a
 * sketch has: all of the clump is as near as the nearest, by the sketches. */
static void make_flat(fixture *f, size_t n, size_t d, size_t clump)
{
    make(f, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float *x = &f->x[i * d + j];
            if (i < clump)
                *x = j == 12 + i % (d - 12) ? 1e-3F * (1 + (float)i / (float)n) : 0;
            else if (j >= 12)
                *x *= clump ? 0 : 0.05F;
        }
}

static float *exact_from(const fixture *f, size_t t, size_t shortcut_from, int threads)
{
    im_pool *pool = NULL;
    float *radius = im_alloc(f->n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_pool_new(&pool, threads, NULL), IMSAT_OK);
    assert_int_equal(
        im_radius_exact_from(radius, &f->data, &f->pre, t, shortcut_from, pool, NULL, NULL),
        IMSAT_OK);
    im_pool_free(pool);
    return radius;
}

static bool takes_the_shortcut(const fixture *f, size_t t)
{
    im_pool *pool = NULL;
    im_frame frame;
    bool taken = false;
    double *sigma = im_alloc(f->n, sizeof *sigma);
    assert_non_null(sigma);
    assert_int_equal(im_pool_new(&pool, 2, NULL), IMSAT_OK);
    assert_int_equal(im_frame_fit(&frame, &f->data, &f->pre, pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_shortcut_radius(sigma, &taken, &frame, t, pool, NULL, NULL), IMSAT_OK);
    im_frame_clear(&frame);
    im_pool_free(pool);
    im_free(sigma);
    return taken;
}

/* The path that production takes from IM_RADIUS_SHORTCUT_FROM rows on, on few rows. With a
 * clump some rows are settled by wider lists, or scanned again. */
static void sketches_give_the_same_bits(void **state)
{
    (void)state;
    const struct {
        size_t n, d, clump, t;
        bool taken;
    } shape[] = {{1201, 200, 0, 1, true},   {1203, 200, 0, 10, true},
                 {1207, 150, 0, 40, true},  {1209, 150, 0, 41, false},
                 {1211, 200, 150, 7, true}, {6007, 130, 1100, 5, true},
                 {701, 127, 0, 10, false}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        fixture f;
        if (SANITIZED && shape[i].n > 2000)
            continue; /* test_shortcut.c has this case, too */
        make_flat(&f, shape[i].n, shape[i].d, shape[i].clump);
        assert_int_equal(takes_the_shortcut(&f, shape[i].t), shape[i].taken);
        float *sketched = exact_from(&f, shape[i].t, shape[i].n, 1 + (int)(i % 3));
        float *all = exact_from(&f, shape[i].t, shape[i].n + 1, 2);
        assert_memory_equal(sketched, all, f.n * sizeof *all);
        if (shape[i].t <= 40)
            compare_some(&f, sketched, shape[i].t, 211);
        im_free(sketched);
        im_free(all);
        im_free(f.x);
    }
}

/* At the threshold itself, through the function that everybody calls. Under a sanitizer it
 * takes a minute, and the test above has the same threads and memory. */
static void many_rows_agree_with_the_definition(void **state)
{
    (void)state;
    fixture f;
    if (SANITIZED)
        return;
    make_flat(&f, IM_RADIUS_SHORTCUT_FROM, 128, 0);
    float *radius = exact(&f, 10, 2);
    compare_some(&f, radius, 10, 1301);
    im_free(radius);
    im_free(f.x);
}

static void far_from_the_origin_no_digits_are_lost(void **state)
{
    (void)state;
    const float shifts[] = {1000, -1e6F};
    for (size_t k = 0; k < 2; k++) {
        fixture f;
        make(&f, 311, 19);
        for (size_t i = 0; i < f.n * f.d; i++)
            f.x[i] += shifts[k];
        compare(&f, 10);
        im_free(f.x);
    }
}

/* Two clumps a million times tighter than their distance, and one far point: matrix products
 * in float cannot order the points of a clump, so these rows are scanned again. */
static void tight_clumps_are_exact(void **state)
{
    (void)state;
    fixture f;
    make(&f, 533, 11);
    for (size_t i = 0; i < f.n; i++)
        for (size_t j = 0; j < f.d; j++)
            f.x[i * f.d + j] = f.x[i * f.d + j] * 1e-6F + (i % 2 ? 1 : -1);
    f.x[77] = 1e6F;
    compare(&f, 6);
    im_free(f.x);
}

static void data_of_any_scale_works(void **state)
{
    (void)state;
    const float scales[] = {1e-30F, 1e30F};
    for (size_t k = 0; k < 2; k++) {
        fixture f;
        make(&f, 211, 8);
        for (size_t i = 0; i < f.n * f.d; i++)
            f.x[i] *= scales[k];
        compare(&f, 5);
        im_free(f.x);
    }
}

static void duplicates_are_at_distance_zero(void **state)
{
    (void)state;
    fixture f;
    make(&f, 299, 23);
    for (size_t i = 0; i < f.n; i++) /* rows 0 .. 31 four times or more, the rest once */
        if (i % 2)
            memcpy(f.x + i * f.d, f.x + i / 2 % 32 * 2 * f.d, f.d * sizeof *f.x);
    for (size_t i = 0; i < f.n * f.d; i++)
        f.x[i] += 100;
    float *radius = exact(&f, 2, 2);
    for (size_t i = 1; i < f.n; i += 2)
        assert_true(radius[i] == 0);
    assert_true(radius[298] > 0);
    im_free(radius);
    compare(&f, 2);
    compare(&f, 6);
    im_free(f.x);
}

static void equal_rows_have_radius_zero(void **state)
{
    (void)state;
    fixture f;
    make(&f, 205, 3);
    for (size_t i = 0; i < f.n * f.d; i++)
        f.x[i] = 0.1F;
    float *radius = exact(&f, 9, 2);
    for (size_t i = 0; i < f.n; i++)
        assert_true(radius[i] == 0);
    im_free(radius);
    im_free(f.x);
}

static void preprocessing_is_applied(void **state)
{
    (void)state;
    fixture f;
    make(&f, 111, 4);
    float *plain = exact(&f, 3, 1);
    f.pre.scale = 4;
    f.pre.shift = -2;
    float *scaled = exact(&f, 3, 1);
    for (size_t i = 0; i < f.n; i++)
        assert_true(fabsf(scaled[i] - 4 * plain[i]) <= 1e-5F * plain[i]);
    compare(&f, 3);
    im_free(plain);
    im_free(scaled);
    im_free(f.x);
}

static void threads_do_not_change_the_bits(void **state)
{
    (void)state;
    fixture f;
    make(&f, 601, 21);
    float *one = exact(&f, 10, 1), *two = exact(&f, 10, 2), *three = exact(&f, 10, 3);
    assert_memory_equal(one, two, f.n * sizeof *one);
    assert_memory_equal(one, three, f.n * sizeof *one);
    im_free(one);
    im_free(two);
    im_free(three);
    im_free(f.x);
}

typedef struct watch {
    double last, stop_at;
    size_t calls;
} watch;

static int look(void *user, double fraction)
{
    watch *w = user;
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    w->calls++;
    return fraction >= w->stop_at;
}

static void progress_rises_and_can_stop(void **state)
{
    (void)state;
    fixture f;
    make(&f, 607, 5);
    im_pool *pool = NULL;
    imsat_error err;
    float *radius = im_alloc(f.n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_pool_new(&pool, 2, NULL), IMSAT_OK);
    watch whole = {.stop_at = 2};
    im_stage stage = {"computing the radius", look, &whole, 0, 1};
    assert_int_equal(im_radius_exact(radius, &f.data, &f.pre, 3, pool, &stage, &err),
                     IMSAT_OK);
    assert_true(whole.calls > 5 && whole.last > 0.9);
    const double stops[] = {0, 0.5, 0.96};
    for (size_t i = 0; i < 3; i++) {
        watch w = {.stop_at = stops[i]};
        stage.user = &w;
        radius[0] = -1;
        assert_int_equal(im_radius_exact(radius, &f.data, &f.pre, 3, pool, &stage, &err),
                         IMSAT_ESTOPPED);
        assert_string_equal(err.message, "stopped while computing the radius");
        assert_true(radius[0] == -1);
    }
    im_pool_free(pool);
    im_free(radius);
    im_free(f.x);
}

typedef struct attempt {
    const fixture *f;
    im_pool *pool;
} attempt;

static imsat_status try_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    float radius[103] = {-1};
    const imsat_status st =
        im_radius_exact(radius, &a->f->data, &a->f->pre, 5, a->pool, NULL, err);
    assert_true(st == IMSAT_OK ? radius[0] > 0 : radius[0] == -1);
    return st;
}

static imsat_status try_reference(void *context, imsat_error *err)
{
    const attempt *a = context;
    double radius[103] = {-1};
    const imsat_status st = im_radius_ref(radius, &a->f->data, &a->f->pre, 5, err);
    assert_true(st == IMSAT_OK ? radius[0] > 0 : radius[0] == -1);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fixture f;
    make(&f, 103, 4);
    attempt a = {.f = &f};
    assert_int_equal(im_pool_new(&a.pool, 2, NULL), IMSAT_OK);
    assert_true(fail_each(try_once, &a) >= 10);
    assert_int_equal(fail_each(try_reference, &a), 3);
    im_pool_free(a.pool);
    im_free(f.x);
}

static void senseless_requests_are_refused(void **state)
{
    (void)state;
    fixture f;
    make(&f, 5, 2);
    im_pool *pool = NULL;
    imsat_error err;
    float radius[5] = {-1};
    double reference[5] = {-1};
    assert_int_equal(im_pool_new(&pool, 1, NULL), IMSAT_OK);
    assert_int_equal(im_radius_exact(radius, &f.data, &f.pre, 0, pool, NULL, &err),
                     IMSAT_EINVAL);
    assert_int_equal(im_radius_ref(reference, &f.data, &f.pre, 0, &err), IMSAT_EINVAL);
    f.data.rows = 1;
    assert_int_equal(im_radius_exact(radius, &f.data, &f.pre, 1, pool, NULL, &err),
                     IMSAT_EINVAL);
    f.data.rows = (size_t)1 << 31; /* refused before any row is looked at */
    assert_int_equal(im_radius_exact(radius, &f.data, &f.pre, SIZE_MAX / 2, pool, NULL, &err),
                     IMSAT_ENOMEM);
    assert_true(radius[0] == -1 && reference[0] == -1);
    im_pool_free(pool);
    im_free(f.x);
}

/* Rows are floats, but the distance of two may be none. */
static void distances_beyond_float_are_refused(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info = {.error = 9};
    imsat_error err;
    enum { N = 3011 };
    static float radius[N];
    for (int method = IMSAT_RADIUS_EXACT; method <= IMSAT_RADIUS_APPROX; method++) {
        mixture_make(&m, N, 5, 7);
        for (size_t i = 0; i < 5; i++)
            m.x[2000 * 5 + i] = 3e38F; /* sqrt(5) 3e38 from all others */
        mixture_fit(&m, 2);
        radius[0] = -1;
        assert_refused(im_radius_find(radius, &info, &m.data, &m.pre, 10,
                                      (imsat_radius_method)method, m.pool, NULL, &err),
                       &err, IMSAT_EINVAL, "the radius of row 2000 (from 0) is 6.7082e+38");
        assert_true(radius[0] == -1 && info.error > 1);
        mixture_clear(&m);
    }
}

static void the_size_decides(void **state)
{
    (void)state;
    const size_t from = IM_RADIUS_APPROX_FROM;
    assert_int_equal(im_radius_resolve(IMSAT_RADIUS_AUTO, from - 1), IMSAT_RADIUS_EXACT);
    assert_int_equal(im_radius_resolve(IMSAT_RADIUS_AUTO, from), IMSAT_RADIUS_APPROX);
    assert_int_equal(im_radius_resolve(IMSAT_RADIUS_EXACT, from), IMSAT_RADIUS_EXACT);
    assert_int_equal(im_radius_resolve(IMSAT_RADIUS_APPROX, 5), IMSAT_RADIUS_APPROX);
}

static void the_method_is_taken(void **state)
{
    (void)state;
    enum { N = 3011 };
    mixture m;
    imsat_radius_info info;
    static float radius[N];
    mixture_make(&m, N, 5, 7);
    mixture_fit(&m, 2);
    for (int method = IMSAT_RADIUS_EXACT; method <= IMSAT_RADIUS_APPROX; method++) {
        assert_int_equal(im_radius_find(radius, &info, &m.data, &m.pre, 10,
                                        (imsat_radius_method)method, m.pool, NULL, NULL),
                         IMSAT_OK);
        assert_int_equal(info.method, method);
        assert_int_equal(im_radius_find(radius, &info, &m.data, &m.pre, 0,
                                        (imsat_radius_method)method, m.pool, NULL, NULL),
                         IMSAT_EINVAL);
    }
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_shapes_agree_with_the_oracle),
        cmocka_unit_test(wide_blocks_agree_with_the_definition),
        cmocka_unit_test(sketches_give_the_same_bits),
        cmocka_unit_test(many_rows_agree_with_the_definition),
        cmocka_unit_test(far_from_the_origin_no_digits_are_lost),
        cmocka_unit_test(tight_clumps_are_exact),
        cmocka_unit_test(data_of_any_scale_works),
        cmocka_unit_test(duplicates_are_at_distance_zero),
        cmocka_unit_test(equal_rows_have_radius_zero),
        cmocka_unit_test(preprocessing_is_applied),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(progress_rises_and_can_stop),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(distances_beyond_float_are_refused),
        cmocka_unit_test(the_size_decides),
        cmocka_unit_test(the_method_is_taken),
        cmocka_unit_test(senseless_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
