/* SPDX-License-Identifier: MIT
 * A consensus: one more network, taught what the runs agree on. */
#include "imsat/imsat.h"

#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include <string.h>

enum { RUNS = 3, ROOM = 1 << 16 };

static imsat_options options_of(const char *method)
{
    imsat_options o = blobs_options(method);
    o.runs = RUNS;
    o.consensus = 1;
    return o;
}

/* The runs are those there are without it; it follows them, is kept, and has the labels that
 * all of them agree on, whatever they call them. */
static void it_learns_what_runs_agree_on(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    imsat_model *model = NULL;
    imsat_result *with = NULL, *without = NULL;
    imsat_cluster_score score;
    int32_t labels[BLOB_ROWS];
    imsat_options o = options_of("imsat-vat");
    blobs_set(&o, "epochs", "60");
    assert_ok(imsat_cluster(&model, data, &o, &with, &err), &err);
    assert_ok(imsat_predict(model, data, labels, NULL, 1, &err), &err);
    imsat_model_free(model);
    model = NULL;
    o.consensus = 0;
    assert_ok(imsat_cluster(&model, data, &o, &without, &err), &err);
    imsat_model_free(model);
    assert_int_equal(with->runs, RUNS + 1);
    assert_int_equal(with->best, RUNS);
    assert_int_equal(imsat_result_run(with, RUNS)->seed, o.seed + RUNS);
    assert_memory_equal(with->labels, without->labels, sizeof(int32_t) * RUNS * BLOB_ROWS);
    assert_near(with->agreement, without->agreement, 0);
    const int32_t *taught = with->labels + (size_t)RUNS * BLOB_ROWS;
    assert_memory_equal(taught, labels, sizeof labels);
    const int32_t *kept = with->labels + without->best * BLOB_ROWS;
    assert_ok(imsat_evaluate_clusters(&score, taught, kept, BLOB_ROWS, &err), &err);
    assert_true(score.acc > 0.95);
    size_t same = 0; /* with the names of the best run */
    for (size_t i = 0; i < BLOB_ROWS; i++)
        same += taught[i] == kept[i];
    assert_true(same > BLOB_ROWS * 9 / 10);
    imsat_result_free(with);
    imsat_result_free(without);
    imsat_data_free(data);
}

/* Whatever the threads, and wherever it is stopped: blobs_same_file() has three runs, and so
 * stops in the consensus, too. */
static void a_stop_changes_nothing(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options o = options_of("deep-rim");
    blobs_same_file(data, &o);
    imsat_data_free(data);
}

static void refuse(const imsat_data *data, const imsat_options *o, const char *part)
{
    imsat_error err;
    imsat_model *model = NULL;
    assert_refused(imsat_cluster(&model, data, o, NULL, &err), &err, IMSAT_EINVAL, part);
}

static void what_cannot_agree_is_refused(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("kmeans");
    refuse(data, &o, "but method kmeans does not use it");
    o = options_of("imsat-vat");
    o.runs = 1;
    refuse(data, &o, "a consensus is one of several runs");
    o = options_of("imsat-vat");
    o.race = 1;
    refuse(data, &o, "a race leaves one run");
    o = options_of("imsat-vat");
    o.mu = IMSAT_AUTO;
    refuse(data, &o,
           "mu is left open: objectives of different mu cannot be compared; set mu "
           "for a consensus");
    o = blobs_hash_options("imsat-vat");
    o.runs = 2;
    o.consensus = 1;
    imsat_error err;
    imsat_model *model = NULL;
    assert_refused(imsat_hash(&model, data, &o, NULL, &err), &err, IMSAT_EINVAL,
                   "hash codes have no such option");
    imsat_data_free(data);
}

/* More clusters than are matched. */
static void many_clusters_are_refused(void **state)
{
    (void)state;
    enum { MANY = 1100 };
    static float x[MANY];
    imsat_data *data = NULL;
    imsat_error err;
    for (size_t i = 0; i < MANY; i++)
        x[i] = (float)i;
    assert_ok(imsat_data_view(&data, x, MANY, 1, 1, &err), &err);
    imsat_options o = options_of("imsat-vat");
    o.k = 1025;
    refuse(data, &o, "a consensus matches clusters of runs, at most 1024");
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o = options_of("linear-rim");
    o.epochs = 1;
    o.runs = 2;
    assert_true(blobs_fail_each(data, &o) > 20);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_what_runs_agree_on),
        cmocka_unit_test(a_stop_changes_nothing),
        cmocka_unit_test(what_cannot_agree_is_refused),
        cmocka_unit_test(many_clusters_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
