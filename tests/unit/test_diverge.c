/* SPDX-License-Identifier: MIT
 * Training that leaves the range of numbers stops, and says where and why. */
#include "train/diverge.h"

#include "blobs.h"
#include "model/check.h"
#include "support.h"
#include "train/assess.h"
#include "train/step.h"

#include <math.h>
#include <string.h>

enum { BAD_ROW = 57, BAD_COLUMN = 2 };

/* The blobs, with one value in place of another. */
static imsat_data *open_with_value(float value)
{
    static float x[BLOB_ROWS * BLOB_DIM];
    imsat_error err;
    imsat_data *blobs = blobs_open(), *data = NULL;
    assert_ok(imsat_data_read(blobs, 0, BLOB_ROWS, x, &err), &err);
    imsat_data_free(blobs);
    x[BAD_ROW * BLOB_DIM + BAD_COLUMN] = value;
    assert_ok(imsat_data_view(&data, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    return data;
}

/* Nothing may come of such a training, and no checkpoint be left that cannot be resumed. */
static void assert_diverges(const imsat_data *data, imsat_options opt, const char *part,
                            const char *remedy)
{
    imsat_error err = {""};
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    opt.checkpoint = in_folder("checkpoint");
    opt.checkpoint_every = 1;
    const size_t before = folder_count();
    assert_refused(imsat_cluster(&model, data, &opt, &result, &err), &err, IMSAT_EINVAL, part);
    if (!strstr(err.message, remedy))
        fail_msg("no \"%s\" in \"%s\"", remedy, err.message);
    assert_true(!model && !result);
    assert_int_equal(folder_count(), before);
}

static void one_huge_value(void **state)
{
    (void)state;
    static const char *const methods[] = {"imsat-vat", "imsat-rpt", "deep-rim"};
    imsat_data *data = open_with_value(1e30f);
    for (size_t i = 0; i < 3; i++) {
        imsat_options opt = blobs_options(methods[i]);
        opt.center = 0;
        assert_diverges(data, opt, "training diverged in run 1, epoch 1, step ",
                        "of layer.0.var is inf; the largest value of the prepared data is "
                        "1e+30, from 1e+30 in row 57, column 2 (both from 0); mend or leave "
                        "out that row, or bring the data into range by --center or "
                        "--standardize");
    }
    imsat_options opt = blobs_options("kmeans");
    opt.center = 0;
    opt.k = 2;
    assert_diverges(data, opt, "the squared norm of a center is beyond the range of float",
                    "row 57, column 2");
    imsat_data_free(data);
}

static void a_huge_step(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("imsat-vat");
    opt.step_size = 1e30;
    assert_diverges(data, opt, "training diverged in run 1, epoch 1, step ",
                    "; lower --step-size (1e+30)");
    opt = blobs_options("linear-rim");
    opt.step_size = 1e38;
    assert_diverges(data, opt, "training diverged in run 1, epoch 1, step ",
                    "; lower --step-size (1e+38)");
    imsat_data_free(data);
}

/* A trainer after one step. */
typedef struct trained {
    imsat_data *data;
    imsat_options opt;
    im_pool *pool;
    im_preprocess pre;
    im_trainer trainer;
    im_terms terms;
    im_position at;
} trained;

static void train_one_step(trained *t)
{
    imsat_error err;
    static const double prior[BLOB_K] = {0.25, 0.5, 0.25};
    t->data = blobs_open();
    const imsat_options wanted = blobs_options("deep-rim");
    t->opt = im_check_decide(&wanted, t->data);
    assert_ok(im_pool_new(&t->pool, 2, &err), &err);
    assert_ok(im_preprocess_fit(&t->pre, t->data, &t->opt, NULL, &err), &err);
    const im_fit fit = {.method = im_methods_find("deep-rim"),
                        .opt = &t->opt,
                        .data = t->data,
                        .pre = &t->pre,
                        .prior = prior,
                        .pool = t->pool};
    assert_ok(im_trainer_new(&t->trainer, &fit, &err), &err);
    im_trainer_reset(&t->trainer, 1);
    im_batch_draw(&t->trainer.batch, 1, 0, 0);
    assert_ok(im_step_run(&t->trainer, 0, &t->terms, NULL, &err), &err);
    t->at = (im_position){.trainer = &t->trainer, .epoch = 4, .step = 1};
}

static void trained_clear(trained *t)
{
    im_trainer_clear(&t->trainer);
    im_preprocess_clear(&t->pre);
    im_pool_free(t->pool);
    imsat_data_free(t->data);
}

static void every_number_is_looked_at(void **state)
{
    (void)state;
    trained t;
    imsat_error err = {""};
    train_one_step(&t);
    im_net *net = &t.trainer.net;
    assert_ok(im_diverge_check_step(&t.at, 2, &t.terms, &err), &err);
    assert_ok(im_diverge_check_state(&t.at, 2, &err), &err);
    const size_t last = net->nparams - 1;
    const struct {
        im_real *at, value;
        const char *part;
        bool seen_by_step;
    } cases[] = {
        {net->layer[0].var + 3, (im_real)INFINITY, "element 3 of layer.0.var is inf", true},
        {net->layer[1].mean, (im_real)NAN, "element 0 of layer.1.mean is nan", true},
        {net->layer[1].w + 1, (im_real)NAN, "element 1 of layer.1.weight is nan", false},
        {t.trainer.adam.v + last, (im_real)INFINITY,
         "Adam's second moment of a parameter of layer 2 is inf", false},
        {t.trainer.adam.m, -(im_real)INFINITY,
         "Adam's first moment of a parameter of layer 0 is -inf", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const im_real before = *cases[i].at;
        *cases[i].at = cases[i].value;
        assert_refused(im_diverge_check_state(&t.at, 2, &err), &err, IMSAT_EINVAL,
                       cases[i].part);
        assert_non_null(strstr(err.message, "in run 3, epoch 5, step 1: "));
        assert_true((im_diverge_check_step(&t.at, 2, &t.terms, &err) != IMSAT_OK) ==
                    cases[i].seen_by_step);
        *cases[i].at = before;
    }
    t.terms.objective = (double)NAN;
    t.at.step = 0; /* between two epochs: the last step of the one before */
    assert_refused(im_diverge_check_step(&t.at, 2, &t.terms, &err), &err, IMSAT_EINVAL,
                   "epoch 4, step ");
    assert_non_null(strstr(err.message, "the objective is nan"));
    trained_clear(&t);
}

/* A network of finite weights whose activations are not: a ReLU makes 0 of -inf and of NaN, so
 * that the objective is finite. */
static void rows_without_a_prediction(void **state)
{
    (void)state;
    trained t;
    imsat_error err = {""};
    im_terms terms = {.objective = -7};
    int32_t labels[BLOB_ROWS];
    const im_assigned assigned = {.labels = labels};
    train_one_step(&t);
    assert_ok(im_assess(&t.trainer, &terms, assigned, NULL, &err), &err);
    const double before = terms.objective;
    const im_layer *layer = &t.trainer.net.layer[1];
    for (size_t i = 0; i < layer->in; i++)
        layer->w[5 * layer->in + i] = -3e38F;
    assert_refused(im_assess(&t.trainer, &terms, assigned, NULL, &err), &err, IMSAT_EINVAL,
                   "no prediction for row 0 (from 0): what its layer 1 (from 0)");
    assert_true(terms.objective == before);
    trained_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_huge_value),
        cmocka_unit_test(a_huge_step),
        cmocka_unit_test(every_number_is_looked_at),
        cmocka_unit_test(rows_without_a_prediction),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
