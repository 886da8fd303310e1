/* SPDX-License-Identifier: MIT
 *
 * Twenty steps of imsat-vat beside PyTorch's, for clusters and for bits: the same data,
 * batches, directions and initial weights; the objective's terms are compared at every step
 * and the weights at the end. make_golden.py made the numbers. The double build must agree to
 * 1e-9, the product to 1e-5.
 */
#include "support.h"

#include "model/check.h"
#include "train/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, D = 12, K = 4, BITS = 5, BATCH = 18, STEPS = 20 };

/* A trajectory: its folder, and how many terms a step has there. */
typedef struct trajectory {
    imsat_task task;
    const char *folder;
    size_t terms;
} trajectory;

#ifdef IM_REAL_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 1e-5
#endif

static const char *golden(const trajectory *g, const char *name)
{
    static char path[4096];
    const char *source = getenv("IMSAT_SOURCE");
    snprintf(path, sizeof path, "%s/tests/golden/%s/%s.npy", source ? source : ".", g->folder,
             name);
    return path;
}

static double *load(const trajectory *g, const char *name, size_t expected)
{
    imsat_error err;
    double *values;
    size_t n;
    assert_ok(imsat_vector_read(&values, &n, golden(g, name), &err), &err);
    assert_int_equal(n, expected);
    return values;
}

static imsat_data *load_rows(const trajectory *g, const char *name, size_t rows)
{
    imsat_error err;
    imsat_data *data = NULL;
    const char *path = golden(g, name);
    assert_ok(imsat_data_open(&data, &path, 1, NULL, &err), &err);
    assert_int_equal(imsat_data_rows(data), rows);
    assert_int_equal(imsat_data_dim(data), D);
    return data;
}

static void assert_close(const char *what, size_t i, double ours, double theirs, double scale)
{
    if (!(fabs(ours - theirs) <= TOLERANCE * scale))
        fail_msg("%s %zu: %.12g, PyTorch has %.12g", what, i, ours, theirs);
}

static void compare_terms(const trajectory *g, size_t step, const im_terms *terms,
                          const double *theirs)
{
    /* That of bits is a difference of larger terms. */
    const double size = g->task == IMSAT_TASK_HASH ? fabs(theirs[1]) : fabs(theirs[0]);
    assert_close("objective of step", step, terms->objective, theirs[0], size);
    assert_close("sat of step", step, terms->term[IMSAT_TERM_SAT], theirs[1], fabs(theirs[1]));
    assert_close("H(Y|X) of step", step, terms->term[IMSAT_TERM_COND_ENTROPY], theirs[2],
                 fabs(theirs[2]));
    assert_close("H(Y) of step", step, terms->term[IMSAT_TERM_MARG_ENTROPY], theirs[3],
                 fabs(theirs[3]));
    if (g->task == IMSAT_TASK_HASH)
        assert_close("pairs of step", step, terms->term[IMSAT_TERM_PAIR_INFO], theirs[4],
                     fabs(theirs[4]));
}

static imsat_options golden_options(imsat_task task)
{
    imsat_options opt;
    if (task == IMSAT_TASK_HASH) {
        imsat_options_init_hash(&opt, "imsat-vat", IMSAT_PRESET_REFERENCE);
        opt.bits = BITS;
    } else {
        imsat_options_init(&opt, "imsat-vat", IMSAT_PRESET_REFERENCE);
        opt.k = K;
    }
    opt.batch = BATCH;
    opt.hidden[0] = 9;
    opt.hidden[1] = 7;
    return opt;
}

static void replay(const trajectory *g, im_trainer *t, const imsat_data *directions)
{
    imsat_error err;
    double *rows = load(g, "batches", STEPS * BATCH);
    double *terms = load(g, "terms", STEPS * g->terms);
    float *fixed = test_malloc(BATCH * D * sizeof *fixed);
    t->fixed_directions = fixed;
    t->batch.n = BATCH;
    for (size_t step = 0; step < STEPS; step++) {
        im_terms ours;
        for (size_t i = 0; i < BATCH; i++)
            t->batch.rows[i] = (size_t)rows[step * BATCH + i];
        assert_ok(imsat_data_read(directions, step * BATCH, BATCH, fixed, &err), &err);
        assert_ok(im_step_run(t, (uint32_t)step, &ours, NULL, &err), &err);
        compare_terms(g, step, &ours, terms + step * g->terms);
    }
    test_free(fixed);
    imsat_free(rows);
    imsat_free(terms);
}

static void check(const trajectory *g)
{
    imsat_error err;
    im_pool *pool;
    im_preprocess pre = {0};
    im_trainer t;
    imsat_data *data = load_rows(g, "x", ROWS),
               *directions = load_rows(g, "directions", STEPS * BATCH);
    double *radius64 = load(g, "radius", ROWS);
    const double prior[K] = {0.25, 0.25, 0.25, 0.25};
    float radius[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        radius[i] = (float)radius64[i];
    const imsat_options chosen = golden_options(g->task), opt = im_check_decide(&chosen, data);
    assert_ok(im_preprocess_fit(&pre, data, &opt, NULL, &err), &err);
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    const im_fit fit = {.method = im_methods_find(opt.method),
                        .opt = &opt,
                        .data = data,
                        .pre = &pre,
                        .radius = radius,
                        .prior = prior,
                        .pool = pool};
    assert_ok(im_trainer_new(&t, &fit, &err), &err);
    im_trainer_reset(&t, 1);
    double *initial = load(g, "initial", t.net.nparams);
    double *final = load(g, "final", t.net.nparams);
    for (size_t i = 0; i < t.net.nparams; i++)
        t.net.params[i] = (im_real)initial[i];
    replay(g, &t, directions);
    for (size_t i = 0; i < t.net.nparams; i++)
        assert_close("weight", i, (double)t.net.params[i], final[i], fmax(1, fabs(final[i])));
    imsat_free(initial);
    imsat_free(final);
    imsat_free(radius64);
    im_trainer_clear(&t);
    im_pool_free(pool);
    im_preprocess_clear(&pre);
    imsat_data_free(data);
    imsat_data_free(directions);
}

static void test_clusters(void **state)
{
    (void)state;
    check(&(trajectory){IMSAT_TASK_CLUSTER, "vat", 4});
}

static void test_bits(void **state)
{
    (void)state;
    check(&(trajectory){IMSAT_TASK_HASH, "hash", 5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clusters),
                                       cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
