/* SPDX-License-Identifier: MIT
 * What is learned has the same bits on every machine: the weights of short trainings are known
 * as numbers, and every kernel must find them. tests/builds/arm.sh runs this on ARM, and
 * tests/builds/processors.sh compares the program's files on processors of other years. */
#include "core/checksum.h"
#include "core/rng.h"
#include "data/dataset.h"
#include "model/model.h"
#include "support.h"

#include <stdio.h>

enum { ROWS = 151, HEIGHT = 3, WIDTH = 4, DIM = HEIGHT * WIDTH };

static float x[ROWS * DIM];

/* Three groups of images. */
static imsat_data *open_images(void)
{
    imsat_data *data = NULL;
    imsat_error err;
    for (uint32_t i = 0; i < ROWS; i++) {
        im_rng_normals(x + i * DIM, DIM, (im_rng){.seed = 5, .stream = IM_STREAM_INIT}, i);
        for (size_t j = i % 3; j < DIM; j += 3)
            x[i * DIM + j] += 3;
    }
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    data->image = (imsat_image){HEIGHT, WIDTH, 1};
    return data;
}

/* Set an option, if the method uses it. */
static void set(imsat_options *o, const char *name, const char *text)
{
    imsat_error err;
    if (imsat_option_used(imsat_option_named(name), o->method, o->task))
        assert_ok(imsat_options_set(o, name, text, &err), &err);
}

static imsat_options options_of(imsat_task task, const char *method)
{
    imsat_options o;
    imsat_options_init_sized(&o, sizeof o, task, method, IMSAT_PRESET_DEFAULT);
    set(&o, "k", "3");
    set(&o, "bits", "11");
    set(&o, "epochs", "7");
    set(&o, "batch", "40");
    set(&o, "hidden", "29,17");
    set(&o, "threads", "2");
    return o;
}

/* A number for the weights and the running averages. */
static uint64_t learn(const imsat_data *data, const imsat_options *o)
{
    imsat_model *model = NULL;
    imsat_error err;
    assert_ok(o->task == IMSAT_TASK_HASH ? imsat_hash(&model, data, o, NULL, &err)
                                         : imsat_cluster(&model, data, o, NULL, &err),
              &err);
    const im_net *net = &model->net;
    const uint64_t sum = im_checksum_of(net->params, net->nparams * sizeof *net->params) ^
                         im_checksum_of(net->running, net->nrunning * sizeof *net->running);
    imsat_model_free(model);
    return sum;
}

static void weights_are_known(void **state)
{
    (void)state;
    static const struct {
        imsat_task task;
        const char *method;
        uint64_t weights;
    } cases[] = {
        {IMSAT_TASK_CLUSTER, "imsat-vat", UINT64_C(0xA0E2E7F458B2E9E7)},
        {IMSAT_TASK_CLUSTER, "imsat-rpt", UINT64_C(0x6C4CD2ACF1F43D9C)},
        {IMSAT_TASK_CLUSTER, "imsat-vat-affine", UINT64_C(0xF3853EAB8F054D5C)},
        {IMSAT_TASK_CLUSTER, "deep-rim", UINT64_C(0x7690FF82A7937518)},
        {IMSAT_TASK_CLUSTER, "linear-rim", UINT64_C(0x587EAE41A3E3D52B)},
        {IMSAT_TASK_CLUSTER, "kmeans", UINT64_C(0xF86F62FE2850EFF0)},
        {IMSAT_TASK_CLUSTER, "gmm", UINT64_C(0xAAE71F55280448C1)},
        {IMSAT_TASK_CLUSTER, "spectral", UINT64_C(0xC97BDCDF62EB659F)},
        {IMSAT_TASK_HASH, "imsat-vat", UINT64_C(0x547EC6739F0EE24E)},
        {IMSAT_TASK_HASH, "linear-rim", UINT64_C(0x9968EAA00A33AD97)},
        {IMSAT_TASK_HASH, "itq", UINT64_C(0x96FE5A74AE14E086)},
        {IMSAT_TASK_HASH, "spectral-hash", UINT64_C(0xD670A14BD4F82B28)},
        {IMSAT_TASK_HASH, "lsh", UINT64_C(0x165F323E35CFC744)},
    };
    imsat_data *data = open_images();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int plain = 0; plain < 2; plain++) {
            imsat_options o = options_of(cases[i].task, cases[i].method);
            o.reference_kernels = plain;
            const uint64_t found = learn(data, &o);
            if (found != cases[i].weights)
                fail_msg("%s of %s by %s kernels: %016llX, not %016llX",
                         imsat_task_name(cases[i].task), cases[i].method,
                         plain ? "the plain" : "the fastest", (unsigned long long)found,
                         (unsigned long long)cases[i].weights);
        }
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weights_are_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
