/* SPDX-License-Identifier: MIT
 * What a model remembers of its training data, how far rows are from it, and how far their
 * labels are to be trusted. tsan: threads_do_not_matter. */
#include "model/reference.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/search.h"
#include "mixture.h"
#include "model/model.h"
#include "sparse_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 400, DIM = 5, K = 4, NEAR = 20, T = 10 };

static imsat_model *train(const imsat_data *data, const char *method, size_t runs, int threads)
{
    imsat_model *model = NULL;
    imsat_options options;
    imsat_error err;
    imsat_options_init(&options, method, IMSAT_PRESET_DEFAULT);
    options.k = K;
    options.runs = runs;
    options.threads = (size_t)threads;
    assert_ok(imsat_cluster(&model, data, &options, NULL, &err), &err);
    return model;
}

static imsat_data *view(const float *rows, size_t n, size_t dim)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_data_view(&data, rows, n, dim, dim, &err), &err);
    return data;
}

/* Labels, probabilities and what is said of them. */
typedef struct said {
    int32_t label[ROWS];
    float proba[ROWS * K], confidence[ROWS], distance[ROWS];
} said;

static void ask(said *out, const imsat_model *model, const imsat_data *data, int threads)
{
    imsat_error err;
    const size_t n = imsat_data_rows(data);
    assert_true(n <= ROWS && imsat_model_has_confidence(model));
    assert_ok(imsat_predict(model, data, out->label, out->proba, threads, &err), &err);
    assert_ok(imsat_confidence(out->confidence, out->distance, model, data, 0, n, out->label,
                               out->proba, threads, &err),
              &err);
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* ---- against the definition --------------------------------------------------------------
 */

/* Rows of a model's reference by distance from row i. */
typedef struct ranked {
    double distance;
    size_t row;
} ranked;

static int by_distance(const void *a, const void *b)
{
    return by_number(&((const ranked *)a)->distance, &((const ranked *)b)->distance);
}

static void rank(ranked out[ROWS], const im_reference *r, const float *x)
{
    for (size_t j = 0; j < ROWS; j++) {
        double sq = 0;
        for (size_t c = 0; c < DIM; c++)
            sq += pow((double)x[c] - (double)r->row[j * DIM + c], 2);
        out[j] = (ranked){sqrt(sq), j};
    }
    qsort(out, ROWS, sizeof *out, by_distance);
}

static void as_defined(void **state)
{
    (void)state;
    mixture m;
    said got;
    ranked near[ROWS];
    double all[ROWS];
    mixture_make(&m, ROWS, DIM, K);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
    const im_reference *r = &model->reference;
    assert_true(r->rows == ROWS && r->dim == DIM && r->k == K);
    ask(&got, model, &m.data, 1);
    for (size_t i = 0; i < ROWS; i++) {
        rank(near, r, r->row + i * DIM); /* near[0] is the row itself */
        assert_true(near[0].row == i && fabs((double)r->radius[i] - near[T].distance) < 1e-5);
        double ratio = 0, sum = (double)got.proba[i * K + (size_t)got.label[i]], votes = 1;
        for (size_t j = 1; j <= 3; j++)
            ratio += near[j].distance / (double)r->radius[near[j].row] / 3;
        for (size_t j = 1; j <= NEAR && near[j].distance <= 2 * near[T].distance; j++, votes++)
            sum += (double)r->share[near[j].row * K + (size_t)got.label[i]];
        all[i] = ratio;
        assert_true(fabs((double)got.distance[i] - ratio) < 1e-5);
        const double want = got.distance[i] > r->limit ? 1.0 / K : sum / votes;
        assert_true(fabs((double)got.confidence[i] - want) < 1e-5);
    }
    qsort(all, ROWS, sizeof *all, by_number);
    assert_true(fabs((double)r->limit - all[ROWS - 1 - ROWS / 100]) < 1e-5);
    assert_true(imsat_model_outlier_distance(model) == (double)r->limit);
    imsat_model_free(model);
    mixture_clear(&m);
}

/* ---- what it is for ----------------------------------------------------------------------
 */

/* Held-back rows are like the training data, those times 1,000 and noise beside the clusters
 * are not; what lies between two clusters is less sure than what lies within one. */
static void strangers_are_told(void **state)
{
    (void)state;
    mixture m;
    said got;
    size_t seen = 0, long_ones = 0;
    mixture_make(&m, 2 * ROWS, DIM, K);
    imsat_data *first = view(m.x, ROWS, DIM), *rest = view(m.x + ROWS * DIM, ROWS, DIM);
    imsat_model *model = train(first, "kmeans", 1, 1);
    const double limit = imsat_model_outlier_distance(model);
    ask(&got, model, rest, 1);
    for (size_t i = 0; i < ROWS; i++)
        seen += (double)got.distance[i] > limit;
    assert_true(seen <= ROWS * 3 / 100);
    for (size_t i = 0; i < ROWS * DIM; i++)
        m.x[ROWS * DIM + i] *= 1000;
    ask(&got, model, rest, 1);
    for (size_t i = 0; i < ROWS; i++) {
        long_ones += (double)got.distance[i] > limit;
        assert_true((double)got.distance[i] <= limit || got.confidence[i] == 1 / (float)K);
    }
    assert_true(long_ones == ROWS);
    imsat_data_free(first);
    imsat_data_free(rest);
    imsat_model_free(model);
    mixture_clear(&m);
}

/* One normal, cut in four where nothing is: rows by a cut are less sure than the others. */
static void borders_are_less_sure(void **state)
{
    (void)state;
    mixture m;
    said got;
    double cut[K], sum[2] = {0}, count[2] = {0};
    mixture_make(&m, ROWS, 1, 1);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
    ask(&got, model, &m.data, 1);
    for (size_t c = 0; c < K; c++) {
        cut[c] = -INFINITY; /* where cluster c ends */
        for (size_t i = 0; i < ROWS; i++)
            if ((size_t)got.label[i] == c)
                cut[c] = fmax(cut[c], (double)m.x[i]);
    }
    for (size_t i = 0; i < ROWS; i++) {
        double nearest = INFINITY;
        for (size_t c = 0; c < K; c++)
            nearest = fmin(nearest, fabs((double)m.x[i] - cut[c]));
        const int inside = nearest > 0.3;
        sum[inside] += (double)got.confidence[i];
        count[inside]++;
    }
    assert_true(count[0] > 20 && count[1] > 20);
    assert_true(sum[0] / count[0] < 0.95 * sum[1] / count[1]);
    imsat_model_free(model);
    mixture_clear(&m);
}

/* Copies of a row are at no distance; where all are the same, anything else is infinitely far.
 */
static void copies(void **state)
{
    (void)state;
    float x[40];
    said got;
    for (size_t i = 0; i < 40; i++)
        x[i] = (float)(i / 10); /* ten copies each of four rows */
    imsat_data *data = view(x, 40, 1);
    imsat_model *model = train(data, "kmeans", 1, 1);
    ask(&got, model, data, 1);
    for (size_t i = 0; i < 40; i++)
        assert_true(got.distance[i] == 0 &&
                    fabsf(got.confidence[i] - got.proba[i * K + (size_t)got.label[i]]) <
                        1e-6F);
    im_reference r = {.rows = 2, .dim = 1, .k = 2};
    float row[2] = {1, 1}, radius[2] = {0, 0}, share[4] = {1, 0, 1, 0};
    uint64_t nearest[2];
    r.row = row, r.radius = radius, r.share = share;
    const float there = 1, away = 2;
    assert_true(im_reference_room(&r) == 2);
    assert_true(im_reference_judge(&r, &there, 0, 1, nearest).distance == 0);
    assert_true(isinf(im_reference_judge(&r, &away, 0, 1, nearest).distance));
    assert_true(im_reference_judge(&r, &away, 0, 1, nearest).confidence == 0.5F);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void what_is_kept_is_bounded(void **state)
{
    (void)state;
    assert_int_equal(im_reference_size(7, 3), 7);
    assert_int_equal(im_reference_size(1000000, 3), 2048);
    assert_int_equal(im_reference_size(70000, 784), 1337);
    assert_int_equal(im_reference_size(70000, 1000000), 32);
    mixture m;
    mixture_make(&m, 3000, 2, K);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
    assert_int_equal(model->reference.rows, 2048);
    imsat_model_free(model);
    mixture_clear(&m);
}

/* ---- the same result ---------------------------------------------------------------------
 */

static void threads_do_not_matter(void **state)
{
    (void)state;
    mixture m;
    said one, two, tail;
    imsat_error err;
    mixture_make(&m, ROWS, DIM, K);
    imsat_model *alone = train(&m.data, "kmeans", 3, 1),
                *three = train(&m.data, "kmeans", 3, 3);
    const im_reference *a = &alone->reference, *b = &three->reference;
    assert_memory_equal(a->radius, b->radius, ROWS * sizeof *a->radius);
    assert_memory_equal(a->share, b->share, ROWS * K * sizeof *a->share);
    assert_true(a->limit == b->limit);
    ask(&one, alone, &m.data, 1);
    ask(&two, three, &m.data, 3);
    assert_memory_equal(&one, &two, sizeof one);
    assert_ok(imsat_confidence(tail.confidence, tail.distance, alone, &m.data, ROWS - 2, 2,
                               one.label + ROWS - 2, one.proba + (ROWS - 2) * K, 1, &err),
              &err);
    assert_memory_equal(tail.confidence, one.confidence + ROWS - 2, 2 * sizeof(float));
    assert_memory_equal(tail.distance, one.distance + ROWS - 2, 2 * sizeof(float));
    imsat_model_free(alone);
    imsat_model_free(three);
    mixture_clear(&m);
}

/* Rows that are sparse, and the same with their zeros. */
static void sparse_rows_are_rows(void **state)
{
    (void)state;
    sparse_case c;
    said sparse, dense;
    sparse_case_make(&c, ROWS, 30, 5, K);
    imsat_model *model = train(c.sparse, "kmeans", 1, 1);
    ask(&sparse, model, c.sparse, 1);
    ask(&dense, model, c.dense, 1);
    assert_memory_equal(sparse.distance, dense.distance, sizeof sparse.distance);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(fabsf(sparse.confidence[i] - dense.confidence[i]) < 1e-5F);
    imsat_model_free(model);
    sparse_case_clear(&c);
}

static void files_keep_it(void **state)
{
    (void)state;
    mixture m;
    said before, after;
    imsat_error err;
    imsat_model *loaded = NULL;
    mixture_make(&m, ROWS, DIM, K);
    imsat_model *model = train(&m.data, "gmm", 2, 1);
    const char *path = in_folder("model");
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_ok(imsat_model_load(&loaded, path, &err), &err);
    ask(&before, model, &m.data, 1);
    ask(&after, loaded, &m.data, 1);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(imsat_model_outlier_distance(loaded) == imsat_model_outlier_distance(model));
    imsat_model_free(model);
    imsat_model_free(loaded);
    mixture_clear(&m);
}

/* ---- refusals ----------------------------------------------------------------------------
 */

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    mixture m;
    static said s;
    imsat_error err;
    imsat_options options;
    imsat_model *hash = NULL;
    mixture_make(&m, ROWS, DIM, K);
    imsat_data *narrow = view(m.x, 1, 1);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
#define ASK(model, data, first)                                                               \
    imsat_confidence(s.confidence, s.distance, model, data, first, 1, s.label, s.proba, 1,    \
                     &err)
    assert_refused(ASK(model, narrow, 0), &err, IMSAT_EMISMATCH,
                   "the data has 1 columns, but the model was trained on 5");
    assert_refused(ASK(model, &m.data, ROWS), &err, IMSAT_EINVAL,
                   "1 from row 400 on are asked for; the data has 400");
    s.label[0] = K;
    assert_refused(ASK(model, &m.data, 3), &err, IMSAT_EINVAL,
                   "label 4 of row 3 is not a cluster");
    imsat_options_init_hash(&options, "linear-rim", IMSAT_PRESET_DEFAULT);
    options.bits = 2, options.epochs = 1, options.threads = 1;
    assert_ok(imsat_hash(&hash, &m.data, &options, NULL, &err), &err);
    assert_false(imsat_model_has_confidence(hash));
    assert_true(isinf(imsat_model_outlier_distance(hash)));
    assert_refused(ASK(hash, &m.data, 0), &err, IMSAT_EMISMATCH, "makes codes of 2 bits");
    im_reference_clear(&model->reference); /* a model of before */
    assert_refused(ASK(model, &m.data, 0), &err, IMSAT_EMISMATCH, "train it again");
    imsat_data_free(narrow);
    imsat_model_free(hash);
    imsat_model_free(model);
    mixture_clear(&m);
}

static void assert_bad(float *value, float bad, imsat_model *model, const char *why)
{
    imsat_error err;
    imsat_model *loaded = NULL;
    const char *path = in_folder("hostile");
    const float good = *value;
    *value = bad;
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_refused(imsat_model_load(&loaded, path, &err), &err, IMSAT_EFORMAT, why);
    assert_null(loaded);
    *value = good;
}

static void files_are_hostile(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, ROWS, DIM, K);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
    im_reference *r = &model->reference;
    assert_bad(&r->radius[1], -1, model, "element 1 of reference.radius is -1");
    assert_bad(&r->row[3], NAN, model, "element 3 of reference.row is nan");
    assert_bad(&r->share[2], 1.5F, model,
               "element 2 of reference.share is 1.5, and must be "
               "from 0 to 1");
    imsat_model_free(model);
    mixture_clear(&m);
}

/* The record says how many rows there are, and the limit. */
static void records_are_hostile(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *why;
    } cases[] = {
        {"reference.rows", "1", "\"reference.rows\" is 1, and must be from 2 to 2048"},
        {"reference.rows", "2049", "is 2049, and must be from 2 to 2048"},
        {"reference.rows", "399", "tensor 'reference.row' is F32 (400, 5), and must be"},
        {"reference.limit", "-1", "\"reference.limit\""},
        {"reference.limit", "1e300", "must be a float"},
    };
    mixture m;
    imsat_error err;
    mixture_make(&m, ROWS, DIM, K);
    const char *path = in_folder("hostile");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_model *model = train(&m.data, "kmeans", 1, 1), *loaded = NULL;
        assert_ok(im_safetensors_set(&model->record, cases[i].key, cases[i].value, &err),
                  &err);
        assert_ok(imsat_model_save(model, path, &err), &err);
        assert_refused(imsat_model_load(&loaded, path, &err), &err, IMSAT_EFORMAT,
                       cases[i].why);
        imsat_model_free(model);
    }
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const imsat_model *model = ((void **)context)[0];
    const imsat_data *data = ((void **)context)[1];
    int32_t labels[ROWS] = {0};
    imsat_status st = IMSAT_OK;
    im_pool *pool = NULL;
    im_reference got = {0};
    const im_votes votes = {data, &model->pre, &model->net, labels, 1, 0, K};
    IM_TRY(im_pool_new(&pool, 1, err));
    IM_TRY(im_reference_learn(&got, &votes, pool, err));

cleanup:
    im_reference_clear(&got);
    im_pool_free(pool);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, ROWS, DIM, K);
    imsat_model *model = train(&m.data, "kmeans", 1, 1);
    void *context[] = {model, &m.data};
    assert_true(fail_each(attempt, context) > 8);
    imsat_model_free(model);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_defined),
        cmocka_unit_test(strangers_are_told),
        cmocka_unit_test(borders_are_less_sure),
        cmocka_unit_test(copies),
        cmocka_unit_test(what_is_kept_is_bounded),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(sparse_rows_are_rows),
        cmocka_unit_test(files_keep_it),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(files_are_hostile),
        cmocka_unit_test(records_are_hostile),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
