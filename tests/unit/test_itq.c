/* SPDX-License-Identifier: MIT
 * Iterative quantization: what it says of its error is so, it is that of numpy from the same
 * start, and it never grows. tests/peers/itq.py compares more of it with numpy. */
#include "blobs.h"
#include "failing_alloc.h"
#include "sparse_case.h"
#include "support.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

enum { BITS = 5, ROWS = 61, DIM = 9, GOLDEN_BITS = 4 };

static imsat_options options_of(size_t bits, size_t iterations)
{
    imsat_options opt = blobs_hash_options("itq");
    opt.bits = bits;
    opt.iterations = iterations;
    opt.center = 0;
    opt.restarts = 1;
    return opt;
}

/* The model, and the error it says. */
static imsat_model *learn(double *error, const imsat_data *data, const imsat_options *opt)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    assert_ok(imsat_hash(&model, data, opt, &result, &err), &err);
    *error = imsat_result_run(result, result->best)->objective;
    assert_true(imsat_result_run(result, result->best)->epochs <= opt->iterations);
    imsat_result_free(result);
    return model;
}

/* The mean of |sgn z - z|^2 by the definition; codes are the signs. */
static double error_of(const imsat_model *model, const float *x, const imsat_data *data)
{
    const im_layer *layer = &model->net.layer[0];
    uint8_t codes[BLOB_ROWS];
    imsat_error err;
    double sum = 0;
    assert_true(layer->out <= 8 && data->rows <= BLOB_ROWS);
    assert_ok(imsat_encode(model, data, codes, NULL, 1, &err), &err);
    for (size_t i = 0; i < data->rows; i++)
        for (size_t u = 0; u < layer->out; u++) {
            double z = layer->bias[u];
            for (size_t j = 0; j < layer->in; j++)
                z += layer->w[u * layer->in + j] * x[i * layer->in + j];
            sum += pow((z > 0 ? 1 : -1) - z, 2);
            if (fabs(z) > 1e-4)
                assert_int_equal(codes[i] >> (7 - u) & 1, z > 0);
        }
    return sum / (double)data->rows;
}

static void the_error_is_what_it_says_and_falls(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    float x[BLOB_ROWS * BLOB_DIM];
    const size_t iterations[] = {1, 2, 5, 50};
    double before = (double)INFINITY;
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    for (size_t i = 0; i < 4; i++) {
        const imsat_options opt = options_of(BITS, iterations[i]);
        double error = 0;
        imsat_model *model = learn(&error, data, &opt);
        assert_near(error, error_of(model, x, data), 1e-4 * error);
        assert_true(error <= before);
        before = error;
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

/* Numbers of numpy: it begins with the program's rotation after one round, and does 19. */
static void the_error_of_numpy_from_the_same_start(void **state)
{
    (void)state;
    static float x[ROWS * DIM];
    imsat_error err;
    imsat_data *data = NULL;
    double error = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < DIM; j++)
            x[i * DIM + j] =
                (float)((i * i * 7 + j * j * 3 + i * j * 11) % 23 * (j + 2)) / 100;
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    const imsat_options first = options_of(GOLDEN_BITS, 1);
    imsat_model_free(learn(&error, data, &first));
    assert_near(error, 1.5308281676865207, 1e-6);
    const imsat_options last = options_of(GOLDEN_BITS, 20);
    imsat_model_free(learn(&error, data, &last));
    assert_near(error, 1.518079014008897, 1e-6);
    imsat_data_free(data);
}

/* Of more restarts, the lowest error is kept. */
static void restarts_help(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = options_of(BITS, 30);
    double one = 0, many = 0;
    imsat_model_free(learn(&one, data, &opt));
    opt.restarts = 8;
    imsat_model_free(learn(&many, data, &opt));
    assert_true(many < one);
    imsat_data_free(data);
}

/* As many bits as columns, of which two never change. */
static void columns_that_do_not_vary(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open(), *flat = NULL;
    float x[BLOB_ROWS * BLOB_DIM];
    double error = 0;
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i++)
        x[i * BLOB_DIM + 1] = x[i * BLOB_DIM + 4] = 7;
    assert_ok(imsat_data_view(&flat, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    const imsat_options opt = options_of(BLOB_DIM, 50);
    imsat_model *model = learn(&error, flat, &opt);
    assert_near(error, error_of(model, x, flat), 1e-4 * error);
    imsat_model_free(model);
    imsat_data_free(flat);
    imsat_data_free(data);
}

static void sparse_rows_have_the_codes_of_dense_rows(void **state)
{
    (void)state;
    sparse_case s;
    imsat_error err;
    static uint8_t one[2 * 203], two[2 * 203];
    double error = 0;
    size_t differ = 0;
    sparse_case_make(&s, 203, 97, 7, 3);
    for (int center = 0; center < 2; center++) {
        imsat_options opt = options_of(16, 5);
        opt.center = center;
        imsat_model *model = learn(&error, s.sparse, &opt);
        assert_ok(imsat_encode(model, s.sparse, one, NULL, 1, &err), &err);
        imsat_model_free(model);
        model = learn(&error, s.dense, &opt);
        assert_ok(imsat_encode(model, s.dense, two, NULL, 1, &err), &err);
        imsat_model_free(model);
        for (size_t i = 0; i < sizeof one; i++)
            differ += one[i] != two[i];
    }
    assert_true(differ <= 4); /* rounding, at the border of a bit */
    sparse_case_clear(&s);
}

static void too_many_bits_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    const imsat_options opt = options_of(BLOB_DIM + 1, 5);
    assert_refused(imsat_hash(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "method itq makes at most a bit of each column, and the data has 6 "
                   "columns, fewer than 7 bits");
    imsat_data_free(data);
}

static void the_same_file(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options opt = options_of(BITS, 10);
    blobs_same_file(data, &opt);
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = options_of(BITS, 2);
    assert_true(blobs_fail_each(data, &opt) > 15);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_what_it_says_and_falls),
        cmocka_unit_test(the_error_of_numpy_from_the_same_start),
        cmocka_unit_test(restarts_help),
        cmocka_unit_test(columns_that_do_not_vary),
        cmocka_unit_test(sparse_rows_have_the_codes_of_dense_rows),
        cmocka_unit_test(too_many_bits_are_refused),
        cmocka_unit_test(the_same_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
