/* SPDX-License-Identifier: MIT
 * The model file and prediction: what is saved is loaded, a row stands alone, several threads
 * may share a model, and any change to the file is refused or harmless.
 * tsan: test_threads_share_a_model. */
#include "blobs.h"
#include "data/seal.h"
#include "failing_alloc.h"
#include "model/model.h"
#include "support.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { ROOM = 1 << 18 };

static imsat_model *model;
static imsat_data *data;
static char path[4096];

static const double PRIOR[BLOB_K] = {0.5, 0.2, 0.3};

static int train(void **state)
{
    imsat_error err;
    imsat_options opt = blobs_options("imsat-vat");
    opt.runs = 2;
    opt.prior = PRIOR;
    folder_setup(state);
    data = blobs_open();
    opt.standardize = 1;
    opt.unit_norm = 1;
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    strcpy(path, in_folder("model"));
    assert_ok(imsat_model_save(model, path, &err), &err);
    return 0;
}

static int finish(void **state)
{
    imsat_model_free(model);
    imsat_data_free(data);
    return folder_teardown(state);
}

static void test_round_trip(void **state)
{
    (void)state;
    static char one[ROOM], two[ROOM];
    imsat_error err;
    imsat_model *loaded = NULL;
    int32_t a[BLOB_ROWS], b[BLOB_ROWS];
    float p[BLOB_ROWS * BLOB_K], q[BLOB_ROWS * BLOB_K];
    assert_ok(imsat_model_load(&loaded, path, &err), &err);
    assert_int_equal(imsat_model_dim(loaded), BLOB_DIM);
    assert_int_equal(imsat_model_clusters(loaded), BLOB_K);
    assert_ok(imsat_predict(model, data, a, p, 1, &err), &err);
    assert_ok(imsat_predict(loaded, data, b, q, 3, &err), &err);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_equal(p, q, sizeof p);
    assert_ok(imsat_model_save(loaded, in_folder("again"), &err), &err);
    const size_t size = read_file(path, one, ROOM);
    assert_int_equal(size, read_file(in_folder("again"), two, ROOM));
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        double sum = 0;
        for (size_t j = 0; j < BLOB_K; j++)
            sum += (double)p[i * BLOB_K + j];
        assert_near(sum, 1, 1e-5);
    }
    imsat_model_free(loaded);
}

/* What progress told of the ends of epochs. */
static int note_epoch(void *user, const imsat_progress *progress)
{
    float *objective = user;
    if (progress->epoch_done)
        objective[progress->epoch - 1] = (float)progress->objective;
    return 0;
}

static void test_course_and_prior_are_kept(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *loaded = NULL, *again = NULL;
    imsat_options opt = blobs_options("imsat-vat");
    float told[128] = {0};
    assert_ok(imsat_model_load(&loaded, path, &err), &err);
    assert_memory_equal(loaded->prior, PRIOR, sizeof PRIOR);
    const imsat_history *a = imsat_model_history(model), *b = imsat_model_history(loaded);
    assert_int_equal(a->count, 2 * opt.epochs);
    assert_int_equal(a->run[a->count - 1], 1);
    assert_int_equal(a->epoch[a->count - 1], opt.epochs);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->run, b->run, a->count * sizeof *a->run);
    assert_memory_equal(a->epoch, b->epoch, a->count * sizeof *a->epoch);
    assert_memory_equal(a->objective, b->objective, a->count * sizeof *a->objective);
    for (size_t t = 0; t < IMSAT_TERMS; t++) {
        assert_int_equal(!a->term[t], t == IMSAT_TERM_PAIR_INFO);
        if (a->term[t])
            assert_memory_equal(a->term[t], b->term[t], a->count * sizeof(float));
    }
    imsat_model_free(loaded);
    opt.progress = note_epoch;
    opt.progress_user = told;
    assert_ok(imsat_cluster(&again, data, &opt, NULL, &err), &err);
    assert_null(again->prior);
    a = imsat_model_history(again);
    assert_int_equal(a->count, opt.epochs);
    assert_memory_equal(a->objective, told, a->count * sizeof *told);
    imsat_model_free(again);
}

/* Methods without epochs have no course, and their models no tensors of it. */
static void test_no_course_without_epochs(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *means = NULL;
    const imsat_options opt = blobs_options("kmeans");
    assert_ok(imsat_cluster(&means, data, &opt, NULL, &err), &err);
    assert_null(imsat_model_history(means));
    assert_ok(imsat_model_save(means, in_folder("means"), &err), &err);
    imsat_model_free(means);
    means = NULL;
    assert_ok(imsat_model_load(&means, in_folder("means"), &err), &err);
    assert_null(imsat_model_history(means));
    imsat_model_free(means);
}

static void test_metadata(void **state)
{
    (void)state;
    const char *name, *value,
        *wanted[] = {"option.lambda", "data.fingerprint", "version", "result.objective",
                     "preprocess.unit_norm"};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool found = false;
        for (size_t i = 0; imsat_model_metadata(model, i, &name, &value) == IMSAT_OK; i++)
            found = found || strcmp(name, wanted[w]) == 0;
        if (!found)
            fail_msg("no %s in the metadata", wanted[w]);
    }
}

/* A row's probabilities have the same bits alone and among others. */
static void test_row_stands_alone(void **state)
{
    (void)state;
    imsat_error err;
    float all[BLOB_ROWS * BLOB_K], alone[BLOB_K], row[BLOB_DIM];
    assert_ok(imsat_predict(model, data, NULL, all, 2, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i += 7) {
        imsat_data *single = NULL;
        assert_ok(imsat_data_read(data, i, 1, row, &err), &err);
        assert_ok(imsat_data_view(&single, row, 1, BLOB_DIM, BLOB_DIM, &err), &err);
        assert_ok(imsat_predict(model, single, NULL, alone, 1, &err), &err);
        assert_memory_equal(alone, all + i * BLOB_K, sizeof alone);
        imsat_data_free(single);
    }
}

static void *predict_often(void *labels)
{
    imsat_error err;
    for (int i = 0; i < 5; i++)
        if (imsat_predict(model, data, labels, NULL, 2, &err) != IMSAT_OK)
            return (char *)labels + 1;
    return labels;
}

static void test_threads_share_a_model(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    static int32_t labels[THREADS][BLOB_ROWS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, predict_often, labels[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *returned;
        pthread_join(thread[i], &returned);
        assert_ptr_equal(returned, labels[i]);
        assert_memory_equal(labels[i], labels[0], sizeof labels[0]);
    }
}

static void test_wrong_width(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *narrow = NULL;
    const float x[2] = {1, 2};
    int32_t labels[2];
    assert_ok(imsat_data_view(&narrow, x, 1, 2, 2, &err), &err);
    assert_refused(imsat_predict(model, narrow, labels, NULL, 1, &err), &err, IMSAT_EMISMATCH,
                   "2 columns, but the model was trained on 6");
    imsat_data_free(narrow);
}

/* The record is shown to people: a file cannot steer their terminal by it. */
static void test_record_is_printable(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *odd = NULL, *loaded = NULL;
    const char *name = in_folder("odd");
    assert_ok(imsat_model_load(&odd, path, &err), &err);
    assert_ok(im_safetensors_set(&odd->record, "note", "\x1b[2J", &err), &err);
    assert_ok(imsat_model_save(odd, name, &err), &err);
    assert_refused(imsat_model_load(&loaded, name, &err), &err, IMSAT_EFORMAT,
                   "\"note\" holds control characters");
    assert_null(loaded);
    imsat_model_free(odd);
}

static size_t find(const char *bytes, size_t size, const char *text)
{
    size_t at = 0;
    while (at + strlen(text) < size && memcmp(bytes + at, text, strlen(text)) != 0)
        at++;
    return at;
}

/* Cut short, or a bit flipped anywhere: refused. Only without the word "checksum" it is taken
 * for a model of before there was one. */
static void test_damaged_files(void **state)
{
    (void)state;
    static char bytes[ROOM];
    imsat_error err;
    const size_t size = read_file(path, bytes, ROOM), word = find(bytes, size, "checksum");
    const char *bad = in_folder("bad");
    assert_in_range(word, 8, size / 2);
    for (size_t cut = 0; cut < size; cut += 197) {
        imsat_model *loaded = NULL;
        write_file(bad, bytes, cut);
        assert_int_not_equal(imsat_model_load(&loaded, bad, &err), IMSAT_OK);
        assert_null(loaded);
        assert_non_null(strstr(err.message, bad));
    }
    write_file(bad, bytes, size);
    for (size_t at = 0; at < size; at++) {
        imsat_model *loaded = NULL;
        write_byte(bad, at, (unsigned char)(bytes[at] ^ 1 << at % 8));
        if (imsat_model_load(&loaded, bad, &err) != IMSAT_OK)
            assert_non_null(strstr(err.message, bad));
        else
            assert_in_range(at, word, word + strlen("checksum") - 1);
        imsat_model_free(loaded);
        write_byte(bad, at, (unsigned char)bytes[at]);
    }
}

static void test_models_without_a_checksum(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *loaded = NULL;
    im_safetensors file = {0}, old = {0};
    const char *name, *value;
    assert_ok(im_safetensors_read(&file, path, &err), &err);
    for (size_t i = 0; i < file.entries; i++)
        if (strcmp(file.keys[i], "checksum") != 0)
            assert_ok(im_safetensors_set(&old, file.keys[i], file.values[i], &err), &err);
    assert_int_equal(old.entries, file.entries - 1);
    for (size_t i = 0; i < file.count; i++)
        assert_ok(im_safetensors_add(&old, file.tensors[i].name, file.tensors[i].type,
                                     file.tensors[i].data, file.tensors[i].dims,
                                     file.tensors[i].shape, &err),
                  &err);
    assert_ok(im_safetensors_write(&old, in_folder("old"), &err), &err);
    assert_ok(imsat_model_load(&loaded, in_folder("old"), &err), &err);
    imsat_model_free(loaded);
    assert_ok(imsat_model_load(&loaded, path, &err), &err); /* the record is not of the file */
    for (size_t i = 0; imsat_model_metadata(loaded, i, &name, &value) == IMSAT_OK; i++)
        assert_string_not_equal(name, "checksum");
    imsat_model_free(loaded);
    im_safetensors_clear(&old);
    im_safetensors_clear(&file);
}

/* Write the model with another text under a key, or another number in a tensor. */
static void forge(const char *to, const char *key, const char *text, const char *tensor,
                  double value)
{
    imsat_error err;
    im_safetensors file = {0};
    static float singles[BLOB_DIM * 64];
    static double doubles[BLOB_DIM];
    assert_ok(im_safetensors_read(&file, path, &err), &err);
    if (key)
        assert_ok(im_safetensors_set(&file, key, text, &err), &err);
    for (size_t i = 0; tensor && i < file.count; i++) {
        im_tensor *t = &file.tensors[i];
        if (strcmp(t->name, tensor) != 0)
            continue;
        const size_t count = t->shape[0] * (t->dims == 2 ? t->shape[1] : 1);
        const bool wide = t->type == IM_TENSOR_F64;
        assert_true(count <= (wide ? BLOB_DIM : BLOB_DIM * 64));
        memcpy(wide ? (void *)doubles : (void *)singles, t->data, count * (wide ? 8 : 4));
        doubles[count > BLOB_DIM ? 0 : count - 1] = value;
        singles[count - 1] = (float)value;
        t->data = wide ? (const void *)doubles : (const void *)singles;
        tensor = "";
    }
    assert_true(!tensor || !*tensor);
    assert_ok(im_seal_set(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, to, &err), &err);
    im_safetensors_clear(&file);
}

/* Numbers that a file of the right shape may not hold. */
static void test_forged_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *tensor;
        double value;
        const char *part;
    } cases[] = {
        {NULL, NULL, "layer.0.weight", (double)NAN, "of layer.0.weight is nan"},
        {NULL, NULL, "layer.0.gain", (double)INFINITY, "of layer.0.gain is inf"},
        {NULL, NULL, "layer.0.var", -1, "of layer.0.var is -1"},
        {NULL, NULL, "layer.0.mean", -(double)INFINITY, "of layer.0.mean is -inf"},
        {NULL, NULL, "preprocess.mean", (double)NAN, "element 5 of preprocess.mean is nan"},
        {NULL, NULL, "preprocess.inv_deviation", (double)INFINITY, "inv_deviation is inf"},
        {NULL, NULL, "prior", -0.5, "element 2 of prior is -0.5, and must be 0 or more"},
        {NULL, NULL, "history.objective", (double)NAN, "of history.objective is nan"},
        {NULL, NULL, "history.epoch", 1, "epochs of a run must be evenly spread"},
        {"prior.clusters", "2", NULL, 0, "\"prior.clusters\" is 2"},
        {"history.terms", "pair_info", NULL, 0, "tensor 'history.pair_info' is missing"},
        {"history.points", "2561", NULL, 0, "\"history.points\" is 2561"},
        {"history.points", "1", NULL, 0, "tensor 'history.run' is U32 ("},
        {"net.form.0", "sine", NULL, 0, "must be normalized, relu, tanh or linear"},
        {"net.readout", "softmax", NULL, 0, "which this version of imsat does not know"},
        {"preprocess.scale", "nan", NULL, 0, "preprocess.scale is nan"},
        {"preprocess.shift", "-inf", NULL, 0, "preprocess.shift is -inf"},
        {"preprocess.factor", "inf", NULL, 0, "preprocess.factor is inf"},
    };
    const char *bad = in_folder("bad");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_model *loaded = NULL;
        forge(bad, cases[i].key, cases[i].text, cases[i].tensor, cases[i].value);
        assert_refused(imsat_model_load(&loaded, bad, &err), &err, IMSAT_EFORMAT,
                       cases[i].part);
        assert_non_null(strstr(err.message, bad));
        assert_null(loaded);
    }
}

/* What could not be loaded is not saved, and the file that is there stays. */
static void test_a_broken_model_is_not_saved(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *broken = NULL;
    const char *to = in_folder("kept");
    char kept[8] = "";
    assert_ok(imsat_model_load(&broken, path, &err), &err);
    broken->net.layer[0].var[3] = (im_real)INFINITY;
    write_file(to, "before", 7);
    assert_refused(imsat_model_save(broken, to, &err), &err, IMSAT_EINVAL,
                   "element 3 of layer.0.var is inf");
    broken->net.layer[0].var[3] = 1;
    broken->pre.factor = (double)NAN;
    assert_refused(imsat_model_save(broken, to, &err), &err, IMSAT_EINVAL,
                   "preprocess.factor is nan");
    assert_int_equal(read_file(to, kept, sizeof kept), 7);
    assert_string_equal(kept, "before");
    imsat_model_free(broken);
}

static imsat_status load_and_predict(void *context, imsat_error *err)
{
    (void)context;
    imsat_model *loaded = NULL;
    int32_t labels[BLOB_ROWS];
    imsat_status st = imsat_model_load(&loaded, path, err);
    if (st == IMSAT_OK)
        st = imsat_predict(loaded, data, labels, NULL, 2, err);
    imsat_model_free(loaded);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(load_and_predict, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record_is_printable),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_course_and_prior_are_kept),
        cmocka_unit_test(test_no_course_without_epochs),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_row_stands_alone),
        cmocka_unit_test(test_threads_share_a_model),
        cmocka_unit_test(test_wrong_width),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_models_without_a_checksum),
        cmocka_unit_test(test_forged_numbers),
        cmocka_unit_test(test_a_broken_model_is_not_saved),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, train, finish);
}
