/* SPDX-License-Identifier: MIT
 * What several runs say of rows, whatever names their clusters have. */
#include "model/votes.h"

#include "blobs.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "model/model.h"

#include <math.h>

enum { RUNS = 4, KEPT = 2, SOME = 6, LATE = 150 };

static const size_t places[SOME] = {0, 1, 7, 100, 201, 202};

/* A model, and labels of four runs: the kept one's, twice under other names, once wrong in row
 * 7, and one that has some rows of the second cluster in the third. */
typedef struct scene {
    imsat_data *data;
    imsat_model *model;
    int32_t labels[RUNS * BLOB_ROWS];
    float prepared[SOME * BLOB_DIM], proba[BLOB_ROWS * BLOB_K];
    im_votes votes;
} scene;

static void make(scene *s)
{
    static const int32_t renamed[BLOB_K] = {2, 0, 1};
    imsat_options options = blobs_options("kmeans");
    imsat_error err;
    double work[BLOB_DIM];
    *s = (scene){.data = blobs_open()};
    assert_ok(imsat_cluster(&s->model, s->data, &options, NULL, &err), &err);
    int32_t *kept = s->labels + KEPT * BLOB_ROWS;
    assert_ok(imsat_predict(s->model, s->data, kept, s->proba, 1, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        s->labels[i] = renamed[kept[i]];
        s->labels[BLOB_ROWS + i] = i == 7 ? renamed[(kept[i] + 1) % BLOB_K] : s->labels[i];
        s->labels[3 * BLOB_ROWS + i] = kept[i] == 0 ? 2 : (kept[i] == 2 || i >= LATE);
    }
    for (size_t i = 0; i < SOME; i++)
        im_preprocess_read(s->prepared + i * BLOB_DIM, s->data, places[i], &s->model->pre,
                           work);
    s->votes =
        (im_votes){s->data, &s->model->pre, &s->model->net, s->labels, RUNS, KEPT, BLOB_K};
}

static void clear(scene *s)
{
    imsat_model_free(s->model);
    imsat_data_free(s->data);
}

static void one_run_has_its_probabilities(void **state)
{
    (void)state;
    scene s;
    imsat_error err;
    float share[SOME * BLOB_K];
    make(&s);
    s.votes.runs = 1, s.votes.kept = 0;
    assert_ok(im_votes_count(share, &s.votes, places, s.prepared, SOME, &err), &err);
    for (size_t i = 0; i < SOME * BLOB_K; i++)
        assert_true(share[i] == s.proba[places[i / BLOB_K] * BLOB_K + i % BLOB_K]);
    clear(&s);
}

static void runs_are_matched_by_their_rows(void **state)
{
    (void)state;
    scene s;
    imsat_error err;
    float share[SOME * BLOB_K];
    make(&s);
    assert_ok(im_votes_count(share, &s.votes, places, s.prepared, SOME, &err), &err);
    for (size_t i = 0; i < SOME; i++)
        for (size_t c = 0; c < BLOB_K; c++) {
            const size_t row = places[i], label = (size_t)s.labels[KEPT * BLOB_ROWS + row];
            const size_t wrong = row == 7 ? (label + 1) % BLOB_K : label;
            const size_t moved = label == 1 && row >= LATE ? 2 : label;
            const double want =
                (double)s.proba[row * BLOB_K + c] + (c == label) + (c == wrong) + (c == moved);
            assert_true(fabs((double)share[i * BLOB_K + c] - want / RUNS) < 1e-6);
        }
    clear(&s);
}

/* Four runs: all must agree. Row 7 has one that does not, nor have the rows that moved. */
static void most_runs_agree(void **state)
{
    (void)state;
    scene s;
    imsat_error err;
    int32_t agreed[BLOB_ROWS];
    make(&s);
    assert_ok(im_votes_agree(agreed, &s.votes, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        const int32_t label = s.labels[KEPT * BLOB_ROWS + i];
        const bool differs = i == 7 || (label == 1 && i >= LATE);
        assert_int_equal(agreed[i], differs ? -1 : label);
    }
    s.votes.runs = 2; /* the first two, which differ in row 7 */
    s.votes.kept = 0;
    assert_ok(im_votes_agree(agreed, &s.votes, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i++)
        assert_int_equal(agreed[i], i == 7 ? -1 : s.labels[i]);
    clear(&s);
}

static imsat_status agree(void *context, imsat_error *err)
{
    const scene *s = context;
    int32_t agreed[BLOB_ROWS];
    return im_votes_agree(agreed, &s->votes, err);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const scene *s = context;
    float share[SOME * BLOB_K];
    return im_votes_count(share, &s->votes, places, s->prepared, SOME, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    scene s;
    make(&s);
    assert_true(fail_each(attempt, &s) >= 4);
    assert_true(fail_each(agree, &s) >= 4);
    clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_has_its_probabilities),
        cmocka_unit_test(runs_are_matched_by_their_rows),
        cmocka_unit_test(most_runs_agree),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
