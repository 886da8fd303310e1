/* SPDX-License-Identifier: MIT
 * Subnormal numbers are flushed while the library computes; the caller's own functions, and
 * the caller after each call, find the mode as it was. */
#include "model/guard.h"

#include "core/flush.h"
#include "core/rng.h"
#include "imsat/search.h"
#include "support.h"

#include <float.h>
#include <stdbool.h>

enum { ROWS = 64, DIM = 5, K = 2, BITS = 3 };

static volatile float tiny = FLT_MIN, half = 0.5f;

static bool flushes(void)
{
    return tiny * half == 0;
}

/* What the caller's functions saw. */
typedef struct witness {
    int calls, flushed;
} witness;

static void look(witness *w)
{
    w->calls++;
    w->flushed += flushes();
}

static int progress(void *user, const imsat_progress *p)
{
    (void)p;
    look(user);
    return 0;
}

static int augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                   size_t dim, uint64_t seed)
{
    (void)rows, (void)seed;
    look(user);
    for (size_t i = 0; i < n * dim; i++)
        out[i] = in[i];
    return 0;
}

static int take(void *user, const imsat_piece *piece)
{
    (void)piece;
    look(user);
    return 0;
}

static void it_flushes_but_not_in_the_callers_functions(void **state)
{
    (void)state;
    witness p = {0}, a = {0};
    float x[2] = {1, 2}, out[2];
    imsat_options opt = {
        .progress = progress, .progress_user = &p, .augment = augment, .augment_user = &a};
    const imsat_data none = {0};
    im_guard guard;
    im_guard_enter(&guard, &opt, &none);
    assert_true(flushes());
    assert_int_equal(opt.progress(opt.progress_user, &(imsat_progress){0}), 0);
    assert_true(flushes());
    assert_int_equal(opt.augment(opt.augment_user, out, x, NULL, 1, 2, 3), 0);
    assert_true(flushes());
    assert_true(p.calls == 1 && p.flushed == 0);
    assert_true(a.calls == 1 && a.flushed == 0);
    assert_true(out[1] == 2);
    im_guard_leave(&guard);
    im_guard_leave(&guard);
    assert_false(flushes());
    assert_ptr_equal(opt.progress, progress);
    assert_ptr_equal(opt.augment, augment);
    assert_ptr_equal(opt.progress_user, &p);
    assert_ptr_equal(opt.augment_user, &a);
}

/* Progress has a function that goes on, as long as the data is there. */
static void no_function_stays_none(void **state)
{
    (void)state;
    const imsat_data none = {0};
    imsat_options opt = {0};
    im_guard guard;
    im_guard_enter(&guard, &opt, &none);
    assert_int_equal(opt.progress(opt.progress_user, &(imsat_progress){0}), 0);
    assert_true(flushes());
    assert_null(opt.augment);
    im_guard_leave(&guard);
    assert_null(opt.progress);
    im_guard_leave(&(im_guard){0}); /* never entered */
    assert_false(flushes());
}

/* ---- the calls that compute ---------------------------------------------------- */

typedef struct calls {
    imsat_data *data;
    imsat_model *clusters, *bits;
    witness seen;
    bool mode; /* the caller's */
} calls;

static void check(const calls *c)
{
    assert_true(flushes() == c->mode);
    assert_true(c->seen.calls > 0);
    assert_int_equal(c->seen.flushed, c->mode ? c->seen.calls : 0);
}

static void call_training(calls *c)
{
    imsat_error err;
    imsat_options opt;
    imsat_result *result = NULL;
    float radius[ROWS];
    imsat_options_init(&opt, "own", IMSAT_PRESET_DEFAULT);
    opt.k = K;
    opt.epochs = 2;
    opt.threads = 2;
    opt.augment = augment;
    opt.progress = progress;
    opt.augment_user = opt.progress_user = &c->seen;
    assert_ok(imsat_cluster(&c->clusters, c->data, &opt, &result, &err), &err);
    check(c);
    assert_ptr_equal(result->used->progress, progress);
    assert_ptr_equal(result->used->augment_user, &c->seen);
    imsat_result_free(result);
    assert_ok(imsat_neighbor_radius(radius, NULL, c->data, &opt, &err), &err);
    check(c);
    opt.k = ROWS + 1; /* a refusal leaves the mode alone, too */
    imsat_model *none = NULL;
    assert_refused(imsat_cluster(&none, c->data, &opt, NULL, &err), &err, IMSAT_EINVAL, "");
    check(c);
    imsat_options_init_hash(&opt, "imsat-vat", IMSAT_PRESET_DEFAULT);
    opt.bits = BITS;
    opt.epochs = 2;
    opt.progress = progress;
    opt.progress_user = &c->seen;
    assert_ok(imsat_hash(&c->bits, c->data, &opt, NULL, &err), &err);
    check(c);
}

static void call_prediction(calls *c)
{
    imsat_error err;
    int32_t labels[ROWS];
    uint8_t codes[ROWS];
    float proba[ROWS * BITS];
    assert_ok(imsat_predict(c->clusters, c->data, labels, proba, 2, &err), &err);
    check(c);
    assert_ok(imsat_encode(c->bits, c->data, codes, proba, 1, &err), &err);
    check(c);
    c->seen = (witness){0};
    assert_ok(imsat_predict_stream(c->bits, c->data, take, &c->seen, 2, &err), &err);
    check(c);
}

static void the_callers_mode_is_as_it_was(void **state)
{
    (void)state;
    imsat_error err;
    float x[ROWS * DIM];
    for (uint32_t i = 0; i < ROWS; i++)
        im_rng_normals(x + i * DIM, DIM, (im_rng){5, IM_STREAM_INIT, 0, 0}, i);
    for (int mode = 0; mode < 2; mode++) {
        calls c = {.mode = mode};
        assert_ok(imsat_data_view(&c.data, x, ROWS, DIM, DIM, &err), &err);
        const im_flush before = im_flush_begin();
        if (!mode)
            im_flush_end(before);
        call_training(&c);
        call_prediction(&c);
        im_flush_end(before);
        imsat_model_free(c.clusters);
        imsat_model_free(c.bits);
        imsat_data_free(c.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_flushes_but_not_in_the_callers_functions),
        cmocka_unit_test(no_function_stays_none),
        cmocka_unit_test(the_callers_mode_is_as_it_was),
    };
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
