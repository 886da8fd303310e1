/* SPDX-License-Identifier: MIT
 * Races of seeds: who wins, that a stop changes nothing, and what is refused. */
#include "imsat/imsat.h"

#include "blobs.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 5, EPOCHS = 40 };

static imsat_options options_of(const char *method)
{
    imsat_options o = blobs_options(method);
    blobs_set(&o, "epochs", "40");
    o.runs = SEEDS;
    o.seed = 7;
    return o;
}

/* What a seed comes to after that many epochs. */
static double objective_of(const imsat_data *data, imsat_options o, uint64_t seed,
                           size_t epochs)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    o.runs = 1;
    o.seed = seed;
    o.epochs = epochs;
    assert_ok(imsat_cluster(&model, data, &o, &result, &err), &err);
    const double objective = imsat_result_run(result, 0)->objective;
    imsat_result_free(result);
    imsat_model_free(model);
    return objective;
}

/* Take out the worst of `left` seeds until `wanted` are left; the later of equal ones. */
static void drop_worst(uint64_t *seed, double *objective, size_t left, size_t wanted)
{
    for (; left > wanted; left--) {
        size_t worst = 0;
        for (size_t i = 1; i < left; i++)
            if (objective[i] >= objective[worst])
                worst = i;
        for (size_t i = worst; i + 1 < left; i++) {
            seed[i] = seed[i + 1];
            objective[i] = objective[i + 1];
        }
    }
}

/* Five seeds for 40/20 epochs, three for 40/10, two for 40/5. */
static void the_better_half_goes_on(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    const imsat_options o = options_of("deep-rim");
    uint64_t seeds[SEEDS], winner = 0;
    double objective[SEEDS];
    static const size_t left[] = {5, 3, 2, 1}, epochs[] = {2, 4, 8};
    for (size_t i = 0; i < SEEDS; i++)
        seeds[i] = 7 + i;
    for (size_t h = 0; h < 3; h++) {
        for (size_t i = 0; i < left[h]; i++)
            objective[i] = objective_of(data, o, seeds[i], epochs[h]);
        drop_worst(seeds, objective, left[h], left[h + 1]);
    }
    assert_ok(imsat_race(&winner, data, &o, &err), &err);
    assert_int_equal(winner, seeds[0]);
    imsat_data_free(data);
}

static void one_seed_has_no_race(void **state)
{
    (void)state;
    imsat_error err;
    uint64_t winner = 0;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("imsat-vat");
    o.runs = 1;
    assert_ok(imsat_race(&winner, data, &o, &err), &err);
    assert_int_equal(winner, 7);
    imsat_data_free(data);
}

/* Stop at the n-th call. */
static int stop_at(void *user, const imsat_progress *progress)
{
    size_t *left = user;
    if (strcmp(progress->stage, "prepare") != 0 && strcmp(progress->stage, "radius") != 0)
        assert_string_equal(progress->stage, "race");
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    return --*left == 0;
}

static void a_stop_changes_nothing(void **state)
{
    (void)state;
    imsat_error err;
    uint64_t whole = 0, winner = 99;
    size_t stops = 0, left;
    char checkpoint[256];
    imsat_data *data = blobs_open();
    imsat_options o = options_of("imsat-rpt");
    assert_ok(imsat_race(&whole, data, &o, &err), &err);
    snprintf(checkpoint, sizeof checkpoint, "%s", in_folder("state"));
    o.checkpoint = checkpoint;
    o.resume = 1;
    o.progress = stop_at;
    o.progress_user = &left;
    imsat_status st = IMSAT_ESTOPPED;
    for (size_t calls = 60; st == IMSAT_ESTOPPED; calls += 20, stops++) {
        left = calls;
        st = imsat_race(&winner, data, &o, &err);
        assert_true(st == IMSAT_OK || winner == 99);
    }
    assert_ok(st, &err);
    assert_true(stops > 2);
    assert_int_equal(winner, whole);
    left = SIZE_MAX; /* all is known: nothing is trained */
    winner = 99;
    assert_ok(imsat_race(&winner, data, &o, &err), &err);
    assert_true(left > SIZE_MAX - 30);
    assert_int_equal(winner, whole);
    o.decay = 0.25;
    o.lambda = 0.5;
    assert_refused(imsat_race(&winner, data, &o, &err), &err, IMSAT_EMISMATCH,
                   "state.race: is a race of other data or options");
    o.resume = 0; /* it is begun anew */
    left = 1;
    assert_int_equal(imsat_race(&winner, data, &o, &err), IMSAT_ESTOPPED);
    imsat_data_free(data);
}

static void what_cannot_race_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    uint64_t winner = 99;
    imsat_data *data = blobs_open();
    imsat_options o = blobs_options("kmeans");
    o.runs = 3;
    assert_refused(imsat_race(&winner, data, &o, &err), &err, IMSAT_EINVAL,
                   "method kmeans has no");
    o = options_of("imsat-vat");
    o.mu = IMSAT_AUTO;
    assert_refused(imsat_race(&winner, data, &o, &err), &err, IMSAT_EINVAL, "mu is left open");
    o = options_of("imsat-vat");
    o.runs = 1025;
    assert_refused(imsat_race(&winner, data, &o, &err), &err, IMSAT_EINVAL, "at most 1024");
    assert_int_equal(winner, 99);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_half_goes_on),
        cmocka_unit_test(one_seed_has_no_race),
        cmocka_unit_test(a_stop_changes_nothing),
        cmocka_unit_test(what_cannot_race_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
