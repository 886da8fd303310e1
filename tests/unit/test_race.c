/* SPDX-License-Identifier: MIT
 * Races of seeds: who wins, what it costs, that the winner's model is that of its seed alone,
 * that a stop changes nothing, and what is refused. */
#include "imsat/imsat.h"

#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS = 5, FIRST = 7, EPOCHS = 40, ROOM = 1 << 16 };

static imsat_options options_of(const char *method)
{
    imsat_options o = blobs_options(method);
    blobs_set(&o, "epochs", "40");
    o.runs = SEEDS;
    o.seed = FIRST;
    o.race = 1;
    return o;
}

static imsat_status learn(imsat_result **result, const imsat_data *data,
                          const imsat_options *o, imsat_error *err)
{
    imsat_model *model = NULL;
    const imsat_status st = o->task == IMSAT_TASK_HASH
                                ? imsat_hash(&model, data, o, result, err)
                                : imsat_cluster(&model, data, o, result, err);
    imsat_model_free(model);
    return st;
}

/* What a seed comes to after that many epochs: without a prior, nothing in them depends on how
 * many follow. */
static double objective_of(const imsat_data *data, imsat_options o, uint64_t seed,
                           size_t epochs)
{
    imsat_error err;
    imsat_result *result = NULL;
    o.race = 0;
    o.runs = 1;
    o.seed = seed;
    o.epochs = epochs;
    assert_ok(learn(&result, data, &o, &err), &err);
    const double objective = imsat_result_run(result, 0)->objective;
    imsat_result_free(result);
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

static uint64_t winner_of(const imsat_data *data, const imsat_options *o)
{
    imsat_error err;
    imsat_result *result = NULL;
    assert_ok(learn(&result, data, o, &err), &err);
    assert_int_equal(result->runs, 1);
    assert_int_equal(result->used->runs, 1);
    assert_int_equal(result->used->race, 0);
    assert_int_equal(imsat_result_run(result, 0)->seed, result->used->seed);
    assert_int_equal(imsat_result_run(result, 0)->epochs, EPOCHS);
    const uint64_t winner = result->used->seed;
    imsat_result_free(result);
    return winner;
}

/* Five seeds for 40/12 epochs, three up to 40/6, two up to 40/3. */
static void the_better_half_goes_on(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options o = options_of("deep-rim");
    uint64_t seeds[SEEDS];
    double objective[SEEDS];
    static const size_t left[] = {5, 3, 2, 1}, epochs[] = {3, 6, 13};
    for (size_t i = 0; i < SEEDS; i++)
        seeds[i] = FIRST + i;
    for (size_t h = 0; h < 3; h++) {
        for (size_t i = 0; i < left[h]; i++)
            objective[i] = objective_of(data, o, seeds[i], epochs[h]);
        drop_worst(seeds, objective, left[h], left[h + 1]);
    }
    assert_int_equal(winner_of(data, &o), seeds[0]);
    imsat_data_free(data);
}

/* The model of a race, and that of a plain training with the seed that won. */
static void check_winner(const imsat_data *data, const imsat_options *race)
{
    static char one[ROOM], two[ROOM];
    imsat_options plain = *race;
    plain.seed = winner_of(data, race);
    plain.race = 0;
    plain.runs = 1;
    plain.checkpoint = NULL;
    assert_in_range(plain.seed, FIRST, FIRST + SEEDS - 1);
    const size_t size = blobs_model_bytes(data, race, "one", one, ROOM);
    assert_int_equal(blobs_model_bytes(data, &plain, "two", two, ROOM), size);
    assert_memory_equal(one, two, size);
}

static void the_winner_is_that_of_its_seed_alone(void **state)
{
    (void)state;
    static const char *const methods[] = {"imsat-vat", "linear-rim"};
    char checkpoint[256];
    imsat_data *data = blobs_open();
    snprintf(checkpoint, sizeof checkpoint, "%s", in_folder("winner"));
    for (size_t i = 0; i < 2; i++) {
        imsat_options o = options_of(methods[i]);
        check_winner(data, &o);
        o.checkpoint = checkpoint;
        check_winner(data, &o);
        const double prior[BLOB_K] = {0.5, 0.3, 0.2}; /* even for half of the epochs */
        o.prior = prior;
        check_winner(data, &o);
    }
    imsat_options o = blobs_hash_options("imsat-rpt");
    blobs_set(&o, "epochs", "40");
    o.runs = SEEDS;
    o.seed = FIRST;
    o.race = 1;
    check_winner(data, &o);
    assert_int_equal(access(checkpoint, F_OK), 0);
    imsat_data_free(data);
}

/* What is told of the epochs of a race. */
typedef struct course {
    size_t epochs[SEEDS]; /* finished of each seed */
    size_t racing;        /* of all, while they raced */
    double fraction;      /* of the last call in the race */
} course;

static int follow(void *user, const imsat_progress *p)
{
    course *c = user;
    const bool race = strcmp(p->stage, "race") == 0;
    if (race) {
        assert_true(p->fraction >= c->fraction && p->fraction <= 1);
        c->fraction = p->fraction;
    }
    if (!p->epoch_done)
        return 0;
    assert_true(race || strcmp(p->stage, "train") == 0);
    assert_int_equal(p->runs, SEEDS);
    assert_int_equal(p->epochs, EPOCHS);
    assert_int_equal(p->epoch, c->epochs[p->run] + 1); /* none twice */
    c->epochs[p->run]++;
    c->racing += race;
    return 0;
}

static void no_epoch_is_trained_twice(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "followed"};
    imsat_data *data = blobs_open();
    for (size_t i = 0; i < 2; i++) {
        course c = {0};
        size_t all = 0, whole = 0;
        imsat_options o = options_of("imsat-vat");
        o.checkpoint = names[i] ? in_folder(names[i]) : NULL;
        o.progress = follow;
        o.progress_user = &c;
        const uint64_t winner = winner_of(data, &o);
        for (size_t r = 0; r < SEEDS; r++) {
            all += c.epochs[r];
            whole += c.epochs[r] == EPOCHS;
        }
        assert_int_equal(c.epochs[winner - FIRST], EPOCHS);
        assert_int_equal(whole, 1);
        assert_int_equal(c.racing, 5 * 3 + 3 * (6 - 3) + 2 * (13 - 6));
        assert_int_equal(all, c.racing + EPOCHS - 13);
        assert_near(c.fraction, 1, 1e-9);
    }
    imsat_data_free(data);
}

/* Fewer epochs than heats, and one seed. */
static void short_races_are_races(void **state)
{
    (void)state;
    imsat_error err;
    imsat_result *result = NULL;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("imsat-vat");
    for (o.epochs = 1; o.epochs < 4; o.epochs++) {
        assert_ok(learn(&result, data, &o, &err), &err);
        assert_int_equal(imsat_result_run(result, 0)->epochs, o.epochs);
        imsat_result_free(result);
    }
    o.runs = 1;
    assert_ok(learn(&result, data, &o, &err), &err);
    assert_int_equal(result->used->seed, FIRST);
    imsat_result_free(result);
    imsat_data_free(data);
}

/* Stop at the n-th call. */
static int stop_at(void *user, const imsat_progress *progress)
{
    (void)progress;
    size_t *left = user;
    return --*left == 0;
}

/* What is beside the checkpoint: that and the race, or what seeds have left, too. */
static size_t files_of(const char *name)
{
    size_t count = 0;
    char path[300];
    for (size_t i = 0; i < SEEDS; i++) {
        snprintf(path, sizeof path, "%s.seed%zu", name, FIRST + i);
        count += access(path, F_OK) == 0;
    }
    return count;
}

static void a_stop_changes_nothing(void **state)
{
    (void)state;
    static char whole[ROOM], bytes[ROOM];
    imsat_error err;
    imsat_result *result = NULL;
    size_t stops = 0, most = 0, left;
    char checkpoint[256];
    imsat_data *data = blobs_open();
    imsat_options o = options_of("imsat-rpt");
    const size_t size = blobs_model_bytes(data, &o, "whole", whole, ROOM);
    snprintf(checkpoint, sizeof checkpoint, "%s", in_folder("state"));
    o.checkpoint = checkpoint;
    o.resume = 1;
    o.progress = stop_at;
    o.progress_user = &left;
    imsat_status st = IMSAT_ESTOPPED;
    for (size_t calls = 60; st == IMSAT_ESTOPPED; calls += 20, stops++) {
        left = calls;
        o.threads = 1 + stops % 3;
        st = learn(&result, data, &o, &err);
        most = files_of(checkpoint) > most ? files_of(checkpoint) : most;
    }
    assert_ok(st, &err);
    imsat_result_free(result);
    assert_true(stops > 5);
    assert_in_range(most, 2, SEEDS); /* states are there while they are needed */
    assert_int_equal(files_of(checkpoint), 0);
    left = SIZE_MAX; /* all is known: nothing is trained */
    assert_int_equal(blobs_model_bytes(data, &o, "again", bytes, ROOM), size);
    assert_memory_equal(bytes, whole, size);
    assert_true(left > SIZE_MAX - 30);
    o.decay = 0.25;
    o.lambda = 0.5;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EMISMATCH,
                   "state.race: is a race of other data or options");
    o.resume = 0; /* it is begun anew */
    left = 20;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_ESTOPPED,
                   "stopped in heat 1 of 3 of a race, seed 7; resume from ");
    imsat_data_free(data);
}

/* States of seeds that are lost or damaged, and a race that tells no numbers. */
static void what_is_lost_is_made_again(void **state)
{
    (void)state;
    static char whole[ROOM], bytes[ROOM];
    char checkpoint[256], path[300], line[ROOM];
    imsat_error err;
    size_t left = 260;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("linear-rim");
    const size_t size = blobs_model_bytes(data, &o, "all", whole, ROOM);
    snprintf(checkpoint, sizeof checkpoint, "%s", in_folder("lost"));
    o.checkpoint = checkpoint;
    o.progress = stop_at;
    o.progress_user = &left;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_ESTOPPED, "of a race");
    o.progress = NULL;
    o.resume = 1;
    assert_true(files_of(checkpoint) > 0);
    for (size_t i = 0; i < SEEDS; i++) {
        snprintf(path, sizeof path, "%s.seed%zu", checkpoint, FIRST + i);
        if (access(path, F_OK) != 0)
            continue;
        write_file(path, "x", 1);
        assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EFORMAT, "is damaged");
        remove(path);
        remove(checkpoint); /* it may have become that of the winner */
    }
    assert_int_equal(blobs_model_bytes(data, &o, "made", bytes, ROOM), size);
    assert_memory_equal(bytes, whole, size);
    snprintf(path, sizeof path, "%s.race", checkpoint);
    const size_t used = read_file(path, line, ROOM - 1);
    line[used] = '\0';
    strstr(line, "\n1 ")[5] = 'x';
    write_file(path, line, used);
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EFORMAT, "is no number");
    remove(path);
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EMISMATCH,
                   "lost: is no checkpoint of a race");
    imsat_data_free(data);
}

static void what_cannot_race_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    imsat_options o = blobs_options("kmeans");
    o.runs = 3;
    o.race = 1;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EINVAL,
                   "but method kmeans does not use it");
    o = options_of("imsat-vat");
    o.mu = IMSAT_AUTO;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EINVAL, "mu is left open");
    o = options_of("imsat-vat");
    o.runs = 1025;
    assert_refused(learn(NULL, data, &o, &err), &err, IMSAT_EINVAL, "at most 1024");
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("deep-rim");
    o.epochs = 3;
    o.runs = 3;
    blobs_set(&o, "hidden", "4");
    assert_true(blobs_fail_each(data, &o) > 20);
    o.checkpoint = in_folder("failing");
    o.checkpoint_every = 1000;
    o.runs = 2;
    assert_true(blobs_fail_each(data, &o) > 20);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_half_goes_on),
        cmocka_unit_test(the_winner_is_that_of_its_seed_alone),
        cmocka_unit_test(no_epoch_is_trained_twice),
        cmocka_unit_test(short_races_are_races),
        cmocka_unit_test(a_stop_changes_nothing),
        cmocka_unit_test(what_is_lost_is_made_again),
        cmocka_unit_test(what_cannot_race_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
