/* SPDX-License-Identifier: MIT
 * Outputs that are made of several units, by the definition, through the network and its file,
 * for dense and sparse rows. */
#include "nn/readout.h"

#include "failing_alloc.h"
#include "model/encoder.h"
#include "model/model.h"
#include "sparse_case.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 150, DIM = 23, OUTPUTS = 3, UNITS = 43 };

/* Groups of other sizes, of which one goes over a panel of 32 units. */
static const uint64_t first[OUTPUTS + 1] = {0, 5, 42, UNITS};

static sparse_case rows;

/* Distances to centers have a test of their own, unit/test_student.c. */
static const im_readout readouts[] = {IM_READOUT_PLAIN, IM_READOUT_COSINE, IM_READOUT_NEAREST,
                                      IM_READOUT_NORMALS};
enum { READOUTS = sizeof readouts / sizeof *readouts };

static imsat_model *make_model(im_readout readout)
{
    imsat_error err;
    const size_t units = im_readout_groups(readout) ? UNITS : OUTPUTS;
    imsat_model *model = test_malloc(sizeof *model);
    *model = (imsat_model){.pre = {.dim = DIM, .scale = 1, .factor = 1}};
    im_net *net = &model->net;
    assert_ok(im_net_new(net, DIM, NULL, 0, units, &err), &err);
    im_net_init(net, 1, 1, 3);
    for (size_t u = 0; u < units; u++)
        net->layer[0].bias[u] = (im_real)0.1 * (im_real)(u % 7);
    assert_ok(im_net_read_out(net, readout, OUTPUTS, first, &err), &err);
    return model;
}

static void drop_model(imsat_model *model)
{
    im_pool_cache_clear(&model->pools);
    im_net_clear(&model->net);
    test_free(model);
}

static double unit(const im_net *net, size_t u, const float *row)
{
    double z = net->layer[0].bias[u];
    for (size_t j = 0; j < DIM; j++)
        z += net->layer[0].w[u * DIM + j] * row[j];
    return z;
}

static double output(const im_net *net, size_t g, const float *row)
{
    if (net->readout == IM_READOUT_PLAIN)
        return unit(net, g, row);
    if (net->readout == IM_READOUT_COSINE)
        return cos(acos(-1) * unit(net, g, row));
    double value = unit(net, first[g], row);
    for (size_t u = first[g] + 1; u < first[g + 1]; u++) {
        const double z = unit(net, u, row);
        value = net->readout == IM_READOUT_NORMALS ? value - z * z / 2 : fmax(value, z);
    }
    return value;
}

static void check(const imsat_model *model, const imsat_data *data)
{
    static float proba[ROWS * OUTPUTS];
    imsat_error err;
    assert_ok(imsat_predict(model, data, NULL, proba, 2, &err), &err);
    for (size_t i = 0; i < ROWS; i++) {
        double e[OUTPUTS], sum = 0;
        for (size_t g = 0; g < OUTPUTS; g++)
            sum += e[g] = exp(output(&model->net, g, rows.x + i * DIM));
        for (size_t g = 0; g < OUTPUTS; g++)
            assert_near((double)proba[i * OUTPUTS + g], e[g] / sum, 2e-6);
    }
}

static void outputs_are_what_their_units_say(void **state)
{
    (void)state;
    for (size_t r = 0; r < READOUTS; r++) {
        imsat_model *model = make_model(readouts[r]);
        check(model, rows.dense);
        check(model, rows.sparse);
        drop_model(model);
    }
}

/* From a file, with the groups and without them where they are not needed. */
static void a_file_has_it(void **state)
{
    (void)state;
    for (size_t r = 0; r < READOUTS; r++) {
        imsat_error err;
        imsat_model *model = make_model(readouts[r]), *loaded = NULL;
        assert_ok(im_model_describe(model, &err), &err);
        assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
        assert_ok(imsat_model_load(&loaded, in_folder("model"), &err), &err);
        assert_int_equal(loaded->net.readout, readouts[r]);
        check(loaded, rows.dense);
        imsat_model_free(loaded);
        im_safetensors_clear(&model->record);
        drop_model(model);
    }
}

/* Save groups that cannot be. */
static void assert_groups_refused(size_t at, uint64_t value)
{
    char message[120];
    imsat_error err;
    imsat_model *model = make_model(IM_READOUT_NEAREST), *loaded = NULL;
    model->net.first[at] = value;
    assert_ok(im_model_describe(model, &err), &err);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    snprintf(message, sizeof message, "element %zu of readout.first is %llu", at,
             (unsigned long long)value);
    assert_refused(imsat_model_load(&loaded, in_folder("model"), &err), &err, IMSAT_EFORMAT,
                   message);
    im_safetensors_clear(&model->record);
    drop_model(model);
}

static void files_that_lie_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *loaded = NULL;
    assert_groups_refused(0, 1);
    assert_groups_refused(1, 0);
    assert_groups_refused(2, 5);
    assert_groups_refused(3, UNITS + 1);
    assert_groups_refused(3, UINT64_MAX);
    imsat_model *model = make_model(IM_READOUT_COSINE);
    assert_ok(im_model_describe(model, &err), &err);
    assert_ok(im_safetensors_set(&model->record, "net.readout", "sine", &err), &err);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    assert_refused(imsat_model_load(&loaded, in_folder("model"), &err), &err, IMSAT_EFORMAT,
                   "net.readout is sine, which this version of imsat does not know");
    im_safetensors_clear(&model->record);
    drop_model(model);
}

/* A unit that overflows is a row without a prediction, even if its output hides it. */
static void overflow_is_noticed(void **state)
{
    (void)state;
    for (size_t r = 1; r < READOUTS; r++) {
        int32_t labels[ROWS];
        imsat_error err;
        imsat_model *model = make_model(readouts[r]);
        for (size_t j = 0; j < DIM; j++)
            model->net.layer[0].w[DIM + j] = (im_real)-3e38;
        assert_refused(imsat_predict(model, rows.dense, labels, NULL, 1, &err), &err,
                       IMSAT_EMISMATCH, "row 0 (from 0) has no prediction");
        drop_model(model);
    }
}

static int make_rows(void **state)
{
    sparse_case_make(&rows, ROWS, DIM, 3, 2);
    return folder_setup(state);
}

static int drop_rows(void **state)
{
    sparse_case_clear(&rows);
    return folder_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_what_their_units_say),
        cmocka_unit_test(a_file_has_it),
        cmocka_unit_test(files_that_lie_are_refused),
        cmocka_unit_test(overflow_is_noticed),
    };
    return cmocka_run_group_tests(tests, make_rows, drop_rows);
}
