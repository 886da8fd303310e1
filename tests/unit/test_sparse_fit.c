/* SPDX-License-Identifier: MIT
 * From sparse data to a model: the file has the bytes of the one that the same data gives with
 * its zeros, by every method and for any number of threads, where preparation leaves zeros
 * alone; else what is learned is the same but for rounding.
 * tsan: threads_do_not_change_a_bit, radius_has_the_bits_of_dense_data. */
#include "blobs.h"
#include "failing_alloc.h"
#include "sparse_case.h"
#include "support.h"

#include "core/alloc.h"
#include "model/methods.h"

#include <math.h>
#include <string.h>

enum { ROWS = 203, DIM = 66, EVERY = 6, K = 3, ROOM = 1 << 20 };

static sparse_case made;
static char one[ROOM], two[ROOM];

static int make(void **state)
{
    sparse_case_make(&made, ROWS, DIM, EVERY, K);
    return folder_setup(state);
}

static int clear(void **state)
{
    sparse_case_clear(&made);
    return folder_teardown(state);
}

static int own(void *user, float *out, const float *in, const size_t *rows, size_t n,
               size_t dim, uint64_t seed)
{
    (void)user;
    (void)rows;
    for (size_t i = 0; i < n * dim; i++)
        out[i] = in[i] + 0.1F * (float)((seed >> i % 60 & 1) ? 1 : -1);
    return 0;
}

/* Options for a few epochs; zeros stay zeros. */
static imsat_options options_for(const char *method)
{
    imsat_options options = blobs_options(method);
    options.center = 0;
    options.unit_norm = 1;
    options.augment = own;
    blobs_set(&options, "epochs", "4");
    return options;
}

static void assert_same_files(const imsat_options *a, const imsat_options *b)
{
    const size_t size = blobs_model_bytes(made.dense, a, "one", one, ROOM);
    assert_true(size > 1000);
    assert_int_equal(blobs_model_bytes(made.sparse, b, "two", two, ROOM), size);
    assert_memory_equal(one, two, size);
}

/* Rows that are no images are nothing to warp; and what looks at all rows at once, without
 * epochs, counts from another center. */
static bool has_same_bits(const char *method)
{
    const im_method *m = im_methods_find(method);
    return (m->tasks & 1U << IMSAT_TASK_CLUSTER) != 0 && !(m->uses & IM_USES_IMAGES) &&
           (m->sections & 1U << IMSAT_SECTION_TRAINING) != 0;
}

static void every_method_has_the_bits_of_dense_data(void **state)
{
    (void)state;
    for (size_t i = 0; imsat_method_name(i); i++) {
        const char *method = imsat_method_name(i);
        if (!has_same_bits(method))
            continue;
        imsat_options options = options_for(method);
        assert_same_files(&options, &options);
        options.scale = 3;
        options.unit_norm = 0;
        assert_same_files(&options, &options);
        options.shift = 1; /* and behind it unit norm fills the rows */
        options.unit_norm = 1;
        assert_same_files(&options, &options);
    }
    imsat_options bits = blobs_hash_options("imsat-vat");
    bits.center = 0;
    assert_same_files(&bits, &bits);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    imsat_options a = options_for("imsat-vat"), b = a;
    b.threads = 3;
    assert_same_files(&a, &b);
    a.center = b.center = 1;
    const size_t size = blobs_model_bytes(made.sparse, &a, "one", one, ROOM);
    assert_int_equal(blobs_model_bytes(made.sparse, &b, "two", two, ROOM), size);
    assert_memory_equal(one, two, size);
}

/* The probabilities (ROWS,K) of the rows that a model was trained on. */
static void train(float *proba, int32_t *labels, const imsat_data *data,
                  const imsat_options *options)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    assert_ok(imsat_cluster(&model, data, options, &result, &err), &err);
    assert_ok(imsat_predict(model, data, labels, proba, 2, &err), &err);
    assert_memory_equal(labels, result->labels + result->best * ROWS, ROWS * sizeof *labels);
    imsat_result_free(result);
    imsat_model_free(model);
}

/* What fills the rows is taken out of them again: a background. Few steps, since the smallest
 * difference grows with every one. */
static void background_has_the_numbers_of_dense_data(void **state)
{
    (void)state;
    static const char *const methods[] = {"linear-rim", "deep-rim", "imsat-rpt", "imsat-vat"};
    static float sparse[ROWS * BLOB_K], dense[ROWS * BLOB_K];
    static int32_t of_sparse[ROWS], of_dense[ROWS];
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int form = 1; form < 8; form++) {
            imsat_options options = options_for(methods[m]);
            options.unit_norm = form == 4;
            options.shift = form & 1 ? 0.3 : 0;
            options.standardize = form & 2 ? 1 : 0;
            options.center = form & 4 ? 1 : 0;
            options.epochs = 2;
            train(sparse, of_sparse, made.sparse, &options);
            train(dense, of_dense, made.dense, &options);
            for (size_t i = 0; i < ROWS * BLOB_K; i++)
                assert_near((double)sparse[i], (double)dense[i], 2e-3);
        }
}

/* Sums of sparse rows are counted from what zeros become, those of dense ones from a mean:
 * they are rounded otherwise. */
static void kmeans_has_the_labels_of_dense_data(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        imsat_options options = blobs_options("kmeans");
        imsat_result *of_sparse = NULL, *of_dense = NULL;
        imsat_model *model = NULL;
        imsat_error err;
        int32_t labels[ROWS];
        options.center = form & 1;
        options.standardize = form & 2;
        options.threads = (size_t)form + 1;
        assert_ok(imsat_cluster(&model, made.dense, &options, &of_dense, &err), &err);
        imsat_model_free(model);
        assert_ok(imsat_cluster(&model, made.sparse, &options, &of_sparse, &err), &err);
        assert_ok(imsat_predict(model, made.sparse, labels, NULL, 2, &err), &err);
        assert_memory_equal(of_sparse->labels, of_dense->labels, ROWS * sizeof(int32_t));
        assert_memory_equal(labels, of_sparse->labels + of_sparse->best * ROWS, sizeof labels);
        const double inertia = imsat_result_run(of_dense, 0)->objective;
        assert_near(imsat_result_run(of_sparse, 0)->objective, inertia, 1e-6 * inertia);
        imsat_result_free(of_sparse);
        imsat_result_free(of_dense);
        imsat_model_free(model);
    }
}

/* The exact radius has the same bits; the approximate one is within its error of it. */
static void radius_has_the_bits_of_dense_data(void **state)
{
    (void)state;
    static float sparse[ROWS], dense[ROWS], again[ROWS];
    for (int form = 0; form < 16; form++) {
        imsat_error err;
        imsat_options options = options_for("imsat-vat");
        options.radius_method = IMSAT_RADIUS_EXACT;
        options.neighbor = 7;
        options.unit_norm = form & 1 ? 1 : 0;
        options.standardize = form & 2 ? 1 : 0;
        options.center = form & 4 ? 1 : 0;
        options.shift = form & 8 ? 0.7 : 0;
        options.threads = 1;
        assert_ok(imsat_neighbor_radius(dense, NULL, made.dense, &options, &err), &err);
        assert_ok(imsat_neighbor_radius(sparse, NULL, made.sparse, &options, &err), &err);
        options.threads = 3;
        assert_ok(imsat_neighbor_radius(again, NULL, made.sparse, &options, &err), &err);
        assert_true(dense[0] > 0);
        assert_memory_equal(sparse, dense, sizeof dense);
        assert_memory_equal(sparse, again, sizeof dense);
    }
}

static void approximate_radius_is_within_its_error(void **state)
{
    (void)state;
    enum { MANY = 6000, WIDE = 40 };
    imsat_error err;
    sparse_case large;
    imsat_radius_info info;
    float *exact = im_alloc(MANY, sizeof *exact), *approx = im_alloc(MANY, sizeof *approx);
    double error = 0;
    imsat_options options = options_for("imsat-vat");
    sparse_case_make(&large, MANY, WIDE, 5, 30);
    options.radius_method = IMSAT_RADIUS_EXACT;
    assert_ok(imsat_neighbor_radius(exact, NULL, large.dense, &options, &err), &err);
    options.radius_method = IMSAT_RADIUS_APPROX;
    assert_ok(imsat_neighbor_radius(approx, &info, large.sparse, &options, &err), &err);
    assert_int_equal(info.method, IMSAT_RADIUS_APPROX);
    for (size_t i = 0; i < MANY; i++) {
        assert_true(approx[i] >= exact[i]);
        error += exact[i] > 0 ? (double)(approx[i] / exact[i] - 1) / MANY : 0;
    }
    assert_true(error < 0.03);
    sparse_case_clear(&large);
    im_free(exact);
    im_free(approx);
}

/* A model is asked for sparse rows and for the same rows with their zeros. */
static void prediction_has_the_bits_of_dense_data(void **state)
{
    (void)state;
    static float sparse[ROWS * BLOB_K], dense[ROWS * BLOB_K];
    static int32_t of_sparse[ROWS], of_dense[ROWS];
    for (int hidden = 0; hidden < 2; hidden++) {
        imsat_error err;
        imsat_model *model = NULL;
        imsat_options options = options_for(hidden ? "imsat-rpt" : "linear-rim");
        assert_ok(imsat_cluster(&model, made.dense, &options, NULL, &err), &err);
        assert_ok(imsat_predict(model, made.dense, of_dense, dense, 1, &err), &err);
        assert_ok(imsat_predict(model, made.sparse, of_sparse, sparse, 2, &err), &err);
        assert_memory_equal(sparse, dense, sizeof sparse);
        assert_memory_equal(of_sparse, of_dense, sizeof of_sparse);
        imsat_model_free(model);
    }
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    static const double prior[BLOB_K] = {0.3, 0.3, 0.4};
    const imsat_options options = options_for("imsat-vat");
    blobs_steps_allocate_nothing(made.sparse, &options, prior);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_model *model = NULL;
    int32_t labels[ROWS];
    imsat_status st = imsat_cluster(&model, made.sparse, context, NULL, err);
    if (st == IMSAT_OK)
        st = imsat_predict(model, made.sparse, labels, NULL, 1, err);
    imsat_model_free(model);
    return st;
}

static void memory_may_fail(void **state)
{
    (void)state;
    imsat_options options = options_for("imsat-vat");
    options.center = 1; /* with a background */
    options.epochs = 1;
    assert_true(fail_each(attempt, &options) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_the_bits_of_dense_data),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(background_has_the_numbers_of_dense_data),
        cmocka_unit_test(kmeans_has_the_labels_of_dense_data),
        cmocka_unit_test(radius_has_the_bits_of_dense_data),
        cmocka_unit_test(approximate_radius_is_within_its_error),
        cmocka_unit_test(prediction_has_the_bits_of_dense_data),
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
