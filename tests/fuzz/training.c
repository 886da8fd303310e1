/* SPDX-License-Identifier: MIT
 * See training.h. */
#include "training.h"

#include "imsat/search.h"

#include <math.h>
#include <string.h>

enum { PREDICT_ROWS = 3, PREDICT_MOST = 4096 };

const imsat_data *training_data(void)
{
    static float x[TRAINING_ROWS * TRAINING_DIM];
    static imsat_data *data;
    imsat_error err;
    if (data)
        return data;
    fuzz_random_seed(7);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)(i / TRAINING_DIM % 2 * 3) + (float)fuzz_below(1000) / 1000;
    fuzz_succeeded(imsat_data_view(&data, x, TRAINING_ROWS, TRAINING_DIM, TRAINING_DIM, &err),
                   &err);
    return data;
}

static void set(imsat_options *options, const char *name, const char *text)
{
    imsat_error err;
    const imsat_option *option = imsat_option_named(name);
    if (imsat_option_used(option, options->method, options->task))
        fuzz_succeeded(imsat_options_set(options, name, text, &err), &err);
}

imsat_options training_options(size_t which)
{
    static const char *const methods[TRAINING_CASES] = {"imsat-vat", "imsat-rpt", "kmeans"};
    imsat_options options;
    if (which == 1)
        imsat_options_init_hash(&options, methods[which], IMSAT_PRESET_DEFAULT);
    else
        imsat_options_init(&options, methods[which], IMSAT_PRESET_DEFAULT);
    set(&options, which == 1 ? "bits" : "k", which == 1 ? "5" : "2");
    set(&options, "runs", "2");
    set(&options, "threads", "1");
    set(&options, "hidden", which ? "none" : "3");
    set(&options, "mu", "2");
    set(&options, "epochs", "1");
    set(&options, "batch", "7");
    set(&options, "standardize", which ? "yes" : "no");
    set(&options, "restarts", "1");
    set(&options, "iterations", "2");
    return options;
}

/* Codes of any rows have nothing behind the last bit. */
static void check_codes(const uint8_t *codes, size_t rows, size_t bits)
{
    const size_t width = imsat_code_bytes(bits);
    for (size_t i = 1; bits % 8 && i <= rows; i++)
        REQUIRE((codes[i * width - 1] & 0xffU >> bits % 8) == 0,
                "the code of row %zu has bits behind the last", i - 1);
}

/* What a training has found is in range, whatever it went on from. */
static void check_result(const imsat_result *result, const imsat_options *options)
{
    const size_t rows = result->runs * result->rows;
    REQUIRE(result->runs == options->runs && result->best < result->runs &&
                result->rows == TRAINING_ROWS &&
                (result->codes != NULL) == (options->task == IMSAT_TASK_HASH) &&
                (result->labels != NULL) != (result->codes != NULL),
            "run %zu of %zu is the best", result->best, result->runs);
    for (size_t i = 0; result->labels && i < rows; i++)
        REQUIRE(result->labels[i] >= 0 && (size_t)result->labels[i] < options->k,
                "label %zu is %d", i, result->labels[i]);
    if (result->codes)
        check_codes(result->codes, rows, options->bits);
    REQUIRE(result->agreement >= -1 && result->agreement <= 1, "an agreement of %g",
            result->agreement);
    const double best = imsat_result_run(result, result->best)->objective;
    for (size_t i = 0; i < result->runs; i++) {
        const imsat_run *run = imsat_result_run(result, i);
        REQUIRE(isfinite(run->objective) && run->objective >= best,
                "the objective of run %zu is %g, and of the best %g", i, run->objective, best);
    }
}

imsat_status training_run(const imsat_options *options, const char *path, imsat_error *err)
{
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    const imsat_data *data = training_data();
    imsat_status st = options->task == IMSAT_TASK_HASH
                          ? imsat_hash(&model, data, options, &result, err)
                          : imsat_cluster(&model, data, options, &result, err);
    if (st == IMSAT_OK) {
        check_result(result, options);
        training_predicts(model);
        fuzz_succeeded(imsat_model_save(model, path, err), err);
    }
    imsat_result_free(result);
    imsat_model_free(model);
    return st;
}

/* Rows of different sizes: zeros, small numbers, and some that may be too large. */
static void fill_rows(float *x, size_t dim, float largest)
{
    for (size_t j = 0; j < dim; j++) {
        x[j] = 0;
        x[dim + j] = (float)(j % 5) - 2.5F;
        x[2 * dim + j] = j % 2 ? largest : -largest;
    }
}

static void check_labels(const int32_t *labels, const float *proba, size_t k)
{
    for (size_t i = 0; i < PREDICT_ROWS; i++) {
        double sum = 0;
        REQUIRE(labels[i] >= 0 && (size_t)labels[i] < k, "the label of row %zu is %d of %zu",
                i, labels[i], k);
        for (size_t j = 0; j < k; j++)
            sum += (double)proba[i * k + j];
        REQUIRE(fabs(sum - 1) < 1e-3, "the probabilities of row %zu sum to %g", i, sum);
    }
}

/* Whatever the model keeps of its training data, what it says of rows is in its range. */
static void check_confidence(const imsat_model *model, const imsat_data *data,
                             const int32_t *labels, const float *proba)
{
    float confidence[PREDICT_ROWS], distance[PREDICT_ROWS];
    imsat_error err = {{0}};
    if (!imsat_model_has_confidence(model))
        return;
    fuzz_succeeded(imsat_confidence(confidence, distance, model, data, 0, PREDICT_ROWS, labels,
                                    proba, 1, &err),
                   &err);
    for (size_t i = 0; i < PREDICT_ROWS; i++)
        REQUIRE(confidence[i] >= 0 && confidence[i] <= 1 && distance[i] >= 0,
                "row %zu has confidence %g and distance %g", i, (double)confidence[i],
                (double)distance[i]);
}

static bool predicts(const imsat_model *model, float largest)
{
    static float x[PREDICT_MOST], proba[PREDICT_MOST];
    static int32_t labels[PREDICT_ROWS];
    static uint8_t codes[PREDICT_MOST];
    const size_t dim = imsat_model_dim(model), k = imsat_model_clusters(model),
                 bits = imsat_model_bits(model);
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    REQUIRE((k > 0) != (bits > 0) && (k + bits) * PREDICT_ROWS <= PREDICT_MOST,
            "%zu clusters, %zu bits", k, bits);
    REQUIRE(dim > 0 && dim * PREDICT_ROWS <= PREDICT_MOST, "rows of %zu", dim);
    fill_rows(x, dim, largest);
    fuzz_succeeded(imsat_data_view(&data, x, PREDICT_ROWS, dim, dim, &err), &err);
    const imsat_status st = k ? imsat_predict(model, data, labels, proba, 1, &err)
                              : imsat_encode(model, data, codes, proba, 1, &err);
    if (st == IMSAT_OK && k)
        check_confidence(model, data, labels, proba);
    imsat_data_free(data);
    if (st != IMSAT_OK) {
        fuzz_refused_value(st, &err);
        return false;
    }
    for (size_t i = 0; i < PREDICT_ROWS * (k + bits); i++)
        REQUIRE(proba[i] >= 0 && proba[i] <= 1, "probability %zu is %g", i, (double)proba[i]);
    if (k)
        check_labels(labels, proba, k);
    else
        check_codes(codes, PREDICT_ROWS, bits);
    return true;
}

bool training_predicts(const imsat_model *model)
{
    predicts(model, 3e38F);
    return predicts(model, 10);
}
