/* SPDX-License-Identifier: MIT
 * The nearest rows by approximate distance: the right ones, and an honest bound. tsan: all. */
#include "neighbors/candidates.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "linear/keep.h"
#include "support.h"

#include <math.h>

/* n rows of d normals, times scale, plus shift. */
typedef struct fixture {
    float *x;
    im_block block;
    imsat_data data;
    im_preprocess pre;
    im_frame frame;
    im_candidates found;
} fixture;

static void make(fixture *f, size_t n, size_t d, float scale, float shift)
{
    *f = (fixture){.pre = {.dim = d, .scale = 1, .factor = 1}};
    f->x = im_alloc(n * d, sizeof *f->x);
    assert_non_null(f->x);
    for (size_t i = 0; i < n; i++)
        im_rng_normals(f->x + i * d, d, (im_rng){.seed = 3, .stream = IM_STREAM_INIT},
                       (uint32_t)i);
    for (size_t i = 0; i < n * d; i++)
        f->x[i] = f->x[i] * scale + shift;
    f->block = (im_block){.base = (const unsigned char *)f->x,
                          .dtype = IM_F32,
                          .rows = n,
                          .dim = d,
                          .row_stride = d * sizeof *f->x,
                          .col_stride = sizeof *f->x};
    f->data = (imsat_data){.blocks = &f->block, .nblocks = 1, .rows = n, .dim = d};
}

static void find(fixture *f, size_t capacity, int threads)
{
    im_pool *pool = NULL;
    assert_int_equal(im_pool_new(&pool, threads, NULL), IMSAT_OK);
    assert_int_equal(im_candidates_check(&f->data, capacity, NULL), IMSAT_OK);
    assert_int_equal(im_frame_fit(&f->frame, &f->data, &f->pre, pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_candidates_find(&f->found, &f->frame, capacity, pool, NULL, NULL),
                     IMSAT_OK);
    im_pool_free(pool);
}

static void unmake(fixture *f)
{
    im_candidates_clear(&f->found);
    im_frame_clear(&f->frame);
    im_free(f->x);
}

static double distance(const fixture *f, size_t i, size_t j)
{
    double sq = 0;
    for (size_t k = 0; k < f->data.dim; k++) {
        const double difference =
            (double)f->x[i * f->data.dim + k] - f->x[j * f->data.dim + k];
        sq += difference * difference;
    }
    return sqrt(sq);
}

static bool is_candidate(const im_candidates *c, size_t row, size_t other)
{
    for (size_t i = 0; i < c->capacity; i++)
        if (im_keep_row(c->keys[row * c->capacity + i]) == other)
            return true;
    return false;
}

/* For every row: what im_candidates_complete() promises, at the distances of all others. */
static void check_promise(const fixture *f, bool expect_useful)
{
    size_t promises = 0;
    for (size_t i = 0; i < f->data.rows; i++) {
        double missing = INFINITY, nearest = INFINITY;
        for (size_t j = 0; j < f->data.rows; j++) {
            if (j == i)
                continue;
            nearest = fmin(nearest, distance(f, i, j));
            if (!is_candidate(&f->found, i, j))
                missing = fmin(missing, distance(f, i, j));
        }
        assert_false(im_candidates_complete(&f->found, i, missing * 1.0001));
        promises += im_candidates_complete(&f->found, i, nearest);
    }
    assert_true(!expect_useful || promises == f->data.rows);
}

static void rows_are_kept_and_the_promise_holds(void **state)
{
    (void)state;
    fixture f;
    make(&f, 403, 7, 1, 0);
    find(&f, 19, 2);
    assert_int_equal(f.found.capacity, 19);
    check_promise(&f, true);
    unmake(&f);
}

static void scale_and_place_do_not_matter(void **state)
{
    (void)state;
    const float scales[] = {1e-30F, 1e30F, 1}, shifts[] = {0, 0, 3000};
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        make(&f, 203, 5, scales[i], shifts[i]);
        find(&f, 11, 2);
        check_promise(&f, true);
        unmake(&f);
    }
}

/* Clumps much tighter than the rounding of their places: nothing can be promised. */
static void tight_clumps_are_not_promised(void **state)
{
    (void)state;
    fixture f;
    make(&f, 303, 5, 1e-4F, 0);
    for (size_t i = 0; i < 303 * 5; i++)
        f.x[i] += i / 5 % 2 ? 1 : -1;
    find(&f, 6, 1);
    check_promise(&f, false);
    unmake(&f);
}

static void every_pair_meets_once(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 3, 96, 97, 193, 290, 481};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t n = sizes[k];
        fixture f;
        make(&f, n, 3, 1, 0);
        find(&f, n + 5, 3); /* all the others */
        assert_int_equal(f.found.capacity, n - 1);
        for (size_t i = 0; i < n; i++) {
            assert_true(im_candidates_complete(&f.found, i, 1e9));
            assert_false(is_candidate(&f.found, i, i));
            for (size_t j = 0; j < n; j++)
                assert_true(i == j || is_candidate(&f.found, i, j));
        }
        unmake(&f);
    }
}

static void equal_distances_go_to_the_smaller_row(void **state)
{
    (void)state;
    fixture f;
    make(&f, 207, 4, 0, 0); /* all rows equal */
    find(&f, 3, 2);
    for (size_t i = 0; i < 207; i++)
        for (size_t j = 0; j < 207; j++)
            if (j != i)
                assert_int_equal(is_candidate(&f.found, i, j), j < (i < 3 ? 4 : 3));
    unmake(&f);
}

static void threads_do_not_change_the_bits(void **state)
{
    (void)state;
    fixture one, three;
    make(&one, 401, 9, 1, 0);
    make(&three, 401, 9, 1, 0);
    find(&one, 5, 1);
    find(&three, 5, 3);
    for (size_t i = 0; i < 401; i++)
        for (size_t j = 0; j < 401; j++)
            assert_int_equal(is_candidate(&one.found, i, j), is_candidate(&three.found, i, j));
    assert_memory_equal(one.found.sq_limit, three.found.sq_limit, 401 * sizeof(float));
    assert_memory_equal(one.found.sq_norm, three.found.sq_norm, 401 * sizeof(float));
    unmake(&one);
    unmake(&three);
}

static void impossible_requests_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data data = {.rows = 1, .dim = 3};
    assert_int_equal(im_candidates_check(&data, 4, &err), IMSAT_EINVAL);
    data.rows = (size_t)1 << 33;
    assert_int_equal(im_candidates_check(&data, 4, &err), IMSAT_EINVAL);
    data.rows = (size_t)1 << 31;
    assert_int_equal(im_candidates_check(&data, 18, &err), IMSAT_OK);
    assert_int_equal(im_candidates_check(&data, SIZE_MAX, &err), IMSAT_ENOMEM);
    assert_string_equal(err.message,
                        "2147483647 neighbors of each of 2147483648 rows are more "
                        "than any memory holds; take a smaller t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_kept_and_the_promise_holds),
        cmocka_unit_test(scale_and_place_do_not_matter),
        cmocka_unit_test(tight_clumps_are_not_promised),
        cmocka_unit_test(every_pair_meets_once),
        cmocka_unit_test(equal_distances_go_to_the_smaller_row),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(impossible_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
