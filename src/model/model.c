/* SPDX-License-Identifier: MIT
 *
 * The model file: safetensors with the tensors of the encoder (encoder.h) and
 *
 *     preprocess.mean, preprocess.inv_deviation, preprocess.center (dim)    if used; double
 *     features.*                                     if rows are made of texts
 * (features/origin.h)
 *     table.*                                        if they are those of tables
 * (data/schema_record.h)
 *     prior (k)                                      of clusters, if one was given; double
 *     history.*                                      if it was trained by epochs
 * (train/history.h)
 *
 * and the metadata format, version, kind (the task), net.* (shape), code.* (of hash codes),
 * preprocess.*, image.*, features.*, table.*, option.*, data.*, result.*, and the seal
 * (data/seal.h), which models of before do not have. The seal is of the file, not of the
 * model: its record does not hold it.
 */
#include "model/model.h"

#include "core/alloc.h"
#include "core/utf8.h"
#include "data/record.h"
#include "data/schema_record.h"
#include "data/seal.h"
#include "data/tensor.h"
#include "model/encoder.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define FORMAT    "imsat-model-1"
#define PRIOR     "prior"
#define PRIOR_KEY "prior.clusters"

void imsat_model_free(imsat_model *model)
{
    if (!model)
        return;
    im_pool_cache_clear(&model->pools);
    im_net_clear(&model->net);
    im_preprocess_clear(&model->pre);
    im_origin_drop(model->origin);
    im_schema_clear(&model->table);
    im_reference_clear(&model->reference);
    im_free(model->prior);
    im_history_free(model->history);
    im_safetensors_clear(&model->record);
    im_free(model);
}

size_t imsat_model_dim(const imsat_model *model)
{
    return model ? model->net.dim : 0;
}

imsat_task imsat_model_task(const imsat_model *model)
{
    if (!model)
        return IMSAT_TASKS;
    return model->net.sigmoid ? IMSAT_TASK_HASH : IMSAT_TASK_CLUSTER;
}

size_t imsat_model_clusters(const imsat_model *model)
{
    return model && !model->net.sigmoid ? model->net.outputs : 0;
}

size_t imsat_model_bits(const imsat_model *model)
{
    return model && model->net.sigmoid ? model->net.outputs : 0;
}

const imsat_history *imsat_model_history(const imsat_model *model)
{
    const im_history *history = model ? model->history : NULL;
    return history && history->about.count > 0 ? &history->about : NULL;
}

imsat_status imsat_model_metadata(const imsat_model *model, size_t i, const char **name,
                                  const char **value)
{
    if (!model || !name || !value || i >= model->record.entries)
        return IMSAT_EINVAL;
    *name = model->record.keys[i];
    *value = model->record.values[i];
    return IMSAT_OK;
}

/* What a reader of codes has to know. */
static imsat_status describe_codes(imsat_model *model, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors *r = &model->record;
    IM_TRY(im_record_count(r, "code.bits", model->net.outputs, err));
    IM_TRY(im_safetensors_set(r, "code.bit_order", "msb", err));
    IM_TRY(im_safetensors_set(r, "code.threshold", "0.5", err));
    IM_TRY(im_safetensors_set(r, "code.padding", "0", err));

cleanup:
    return st;
}

/* What pictures are brought to that it is given. */
static imsat_status describe_image(imsat_model *model, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors *r = &model->record;
    IM_TRY(im_record_count(r, "image.height", model->image.height, err));
    IM_TRY(im_record_count(r, "image.width", model->image.width, err));
    IM_TRY(im_record_count(r, "image.channels", model->image.channels, err));

cleanup:
    return st;
}

imsat_status im_model_describe(imsat_model *model, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors *r = &model->record;
    const im_preprocess *pre = &model->pre;
    IM_TRY(im_safetensors_set(r, "format", FORMAT, err));
    IM_TRY(im_safetensors_set(r, "version", IMSAT_VERSION, err));
    IM_TRY(im_safetensors_set(r, "kind", imsat_task_name(imsat_model_task(model)), err));
    IM_TRY(im_encoder_describe(r, "", &model->net, err));
    if (model->net.sigmoid)
        IM_TRY(describe_codes(model, err));
    IM_TRY(im_record_number(r, "preprocess.scale", pre->scale, err));
    IM_TRY(im_record_number(r, "preprocess.shift", pre->shift, err));
    IM_TRY(im_record_count(r, "preprocess.standardize", pre->standardize, err));
    IM_TRY(im_record_count(r, "preprocess.unit_norm", pre->unit_norm, err));
    IM_TRY(im_record_count(r, "preprocess.center", pre->center, err));
    IM_TRY(im_record_number(r, "preprocess.factor", pre->factor, err));
    if (model->image.height)
        IM_TRY(describe_image(model, err));
    if (model->origin)
        IM_TRY(im_origin_record(r, model->origin, err));
    if (model->table.count > 0)
        IM_TRY(im_schema_record(r, &model->table, err));
    if (model->reference.rows > 0)
        IM_TRY(im_reference_record(r, &model->reference, err));
    if (model->prior)
        IM_TRY(im_record_count(r, PRIOR_KEY, model->net.outputs, err));
    IM_TRY(im_history_record(r, model->history, err));

cleanup:
    return st;
}

/* The tensors of the preprocessing and where they are in memory: one list for saving and
 * loading. */
typedef struct named_vector {
    const char *name;
    double *data;
} named_vector;

enum { MOST_VECTORS = 3 };

static size_t list_vectors(named_vector list[MOST_VECTORS], const im_preprocess *pre)
{
    size_t n = 0;
    if (pre->standardize) {
        list[n++] = (named_vector){"preprocess.mean", pre->mean};
        list[n++] = (named_vector){"preprocess.inv_deviation", pre->inv_deviation};
    }
    if (pre->center)
        list[n++] = (named_vector){"preprocess.center", pre->center_mean};
    return n;
}

static imsat_status check_preprocess(const im_preprocess *pre, const char *path,
                                     imsat_status status, imsat_error *err)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"scale", pre->scale}, {"shift", pre->shift}, {"factor", pre->factor}};
    named_vector list[MOST_VECTORS];
    const size_t n = list_vectors(list, pre);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i].value))
            return im_fail(err, status, "%s: preprocess.%s is %g, and must be finite", path,
                           numbers[i].name, numbers[i].value);
    for (size_t v = 0; v < n; v++)
        for (size_t i = 0; i < pre->dim; i++)
            if (!isfinite(list[v].data[i]))
                return im_fail(err, status, "%s: element %zu of %s is %g, and must be finite",
                               path, i, list[v].name, list[v].data[i]);
    return IMSAT_OK;
}

imsat_status im_model_check(const imsat_model *model, const char *path, imsat_status status,
                            imsat_error *err)
{
    const imsat_status st = im_encoder_check(&model->net, path, "", status, err);
    return st == IMSAT_OK ? check_preprocess(&model->pre, path, status, err) : st;
}

imsat_status imsat_model_save(const imsat_model *model, const char *path, imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    im_schema_pack pack = {0};
    named_vector list[MOST_VECTORS];
    const size_t n = list_vectors(list, &model->pre);
    IM_TRY(im_model_check(model, path, IMSAT_EINVAL, err));
    for (size_t i = 0; i < model->record.entries; i++)
        IM_TRY(im_safetensors_set(&file, model->record.keys[i], model->record.values[i], err));
    IM_TRY(im_encoder_add(&file, "", &model->net, err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(&file, list[i].name, IM_TENSOR_F64, list[i].data, 1,
                                  &model->pre.dim, err));
    if (model->origin)
        IM_TRY(im_origin_add(&file, model->origin, err));
    if (model->table.count > 0)
        IM_TRY(im_schema_add(&file, &pack, &model->table, err));
    if (model->reference.rows > 0)
        IM_TRY(im_reference_add(&file, &model->reference, err));
    if (model->prior)
        IM_TRY(im_safetensors_add(&file, PRIOR, IM_TENSOR_F64, model->prior, 1,
                                  &model->net.outputs, err));
    IM_TRY(im_history_add(&file, model->history, err));
    IM_TRY(im_seal_set(&file, err));
    IM_TRY(im_safetensors_write(&file, path, err));

cleanup:
    im_safetensors_clear(&file);
    im_schema_pack_clear(&pack);
    return st;
}

/* What the outputs are. */
static imsat_status load_kind(bool *hashes, const im_safetensors *file, const char *path,
                              imsat_error *err)
{
    const char *kind = im_safetensors_value(file, "kind");
    *hashes = kind && strcmp(kind, imsat_task_name(IMSAT_TASK_HASH)) == 0;
    if (*hashes || (kind && strcmp(kind, imsat_task_name(IMSAT_TASK_CLUSTER)) == 0))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT, "%s: is of kind %.40s, not cluster or hash", path,
                   kind ? kind : "not stated");
}

static imsat_status load_flag(bool *out, const im_safetensors *file, const char *path,
                              const char *key, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t value = 0;
    IM_TRY(im_record_get_within(&value, file, path, key, 0, 1, err));
    *out = value == 1;

cleanup:
    return st;
}

static imsat_status load_preprocess(im_preprocess *pre, size_t dim, const im_safetensors *file,
                                    const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    pre->dim = dim;
    IM_TRY(im_record_get_number(&pre->scale, file, path, "preprocess.scale", err));
    IM_TRY(im_record_get_number(&pre->shift, file, path, "preprocess.shift", err));
    IM_TRY(im_record_get_number(&pre->factor, file, path, "preprocess.factor", err));
    IM_TRY(load_flag(&pre->standardize, file, path, "preprocess.standardize", err));
    IM_TRY(load_flag(&pre->unit_norm, file, path, "preprocess.unit_norm", err));
    IM_TRY(load_flag(&pre->center, file, path, "preprocess.center", err));
    if (pre->standardize) {
        pre->mean = im_alloc(dim, sizeof *pre->mean);
        pre->inv_deviation = im_alloc(dim, sizeof *pre->inv_deviation);
    }
    if (pre->center)
        pre->center_mean = im_alloc(dim, sizeof *pre->center_mean);
    if ((pre->standardize && (!pre->mean || !pre->inv_deviation)) ||
        (pre->center && !pre->center_mean))
        st = im_fail_memory(err, "the preprocessing");

cleanup:
    return st;
}

static imsat_status load_vectors(im_preprocess *pre, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_vector list[MOST_VECTORS];
    const size_t n = list_vectors(list, pre);
    for (size_t v = 0; v < n; v++) {
        const im_tensor *found;
        IM_TRY(im_safetensors_get(&found, file, path, list[v].name, IM_TENSOR_F64, 1,
                                  &pre->dim, err));
        assert(list[v].data); /* load_preprocess has made it */
        memcpy(list[v].data, found->data, pre->dim * sizeof *list[v].data);
    }

cleanup:
    return st;
}

static imsat_status load_image(imsat_image *out, const im_safetensors *file, const char *path,
                               size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t height, width, channels;
    if (!im_safetensors_value(file, "image.height"))
        return IMSAT_OK;
    IM_TRY(im_record_get_within(&height, file, path, "image.height", 1, dim, err));
    IM_TRY(im_record_get_within(&width, file, path, "image.width", 1, dim, err));
    IM_TRY(im_record_get_within(&channels, file, path, "image.channels", 1, dim, err));
    if (height > dim / width || channels > dim / (width * height) ||
        height * width * channels != dim)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: images of %zu x %zu x %zu, but the network is of %zu values", path,
                       (size_t)height, (size_t)width, (size_t)channels, dim);
    *out = (imsat_image){(size_t)height, (size_t)width, (size_t)channels};

cleanup:
    return st;
}

static imsat_status load_prior(double **out, const im_safetensors *file, const char *path,
                               size_t k, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *found;
    uint64_t clusters;
    if (!im_safetensors_value(file, PRIOR_KEY))
        return IMSAT_OK;
    IM_TRY(im_record_get_within(&clusters, file, path, PRIOR_KEY, k, k, err));
    IM_TRY(im_safetensors_get(&found, file, path, PRIOR, IM_TENSOR_F64, 1, &k, err));
    IM_TRY(im_tensor_check(found, path, 0, HUGE_VAL, err));
    *out = im_alloc(k, sizeof **out);
    if (!*out)
        return im_fail_memory(err, "the prior");
    memcpy(*out, found->data, k * sizeof **out);

cleanup:
    return st;
}

/* What was learned from: of clusters a sample of the data and the prior, and the course. */
static imsat_status load_training(imsat_model *model, const im_safetensors *file,
                                  const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t k = imsat_model_clusters(model);
    if (k > 0) {
        IM_TRY(im_reference_load(&model->reference, file, path, k, model->net.dim, err));
        IM_TRY(load_prior(&model->prior, file, path, k, err));
    }
    IM_TRY(im_history_load(&model->history, file, path, err));

cleanup:
    return st;
}

/* The record is there to be shown, so a file may not steer the terminal by it. */
static imsat_status load_record(im_safetensors *record, const im_safetensors *file,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < file->entries; i++) {
        if (strcmp(file->keys[i], IM_SEAL_KEY) == 0)
            continue;
        if (!im_utf8_printable(file->keys[i]) || !im_utf8_printable(file->values[i]))
            return im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" holds control characters", path,
                           file->keys[i]);
        IM_TRY(im_safetensors_set(record, file->keys[i], file->values[i], err));
    }

cleanup:
    return st;
}

/* Is it a model, and as it was written? */
static imsat_status check_file(const im_safetensors *file, const char *path, imsat_error *err)
{
    const char *format = im_safetensors_value(file, "format");
    if (!format || strcmp(format, FORMAT) != 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: is not a model of imsat (its format is %.40s)",
                       path, format ? format : "not stated");
    if (!im_safetensors_value(file, IM_SEAL_KEY))
        return IMSAT_OK;
    return im_fail_advise(im_seal_check(file, path, err), err,
                          "the model is damaged: train it again, or, if another program has "
                          "changed it on purpose, remove the entry \"" IM_SEAL_KEY "\"");
}

imsat_status imsat_model_load(imsat_model **out, const char *path, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    bool hashes = false;
    imsat_model *model = im_alloc(1, sizeof *model);
    if (!model)
        return im_fail_memory(err, "the model");
    IM_TRY(im_safetensors_read(&file, path, err));
    IM_TRY(check_file(&file, path, err));
    IM_TRY(load_kind(&hashes, &file, path, err));
    IM_TRY(im_encoder_load(&model->net, &file, path, "", hashes, err));
    IM_TRY(load_preprocess(&model->pre, model->net.dim, &file, path, err));
    IM_TRY(load_vectors(&model->pre, &file, path, err));
    IM_TRY(load_image(&model->image, &file, path, model->net.dim, err));
    IM_TRY(im_origin_load(&model->origin, &file, path, model->net.dim, err));
    IM_TRY(im_schema_load(&model->table, &file, path, model->net.dim, err));
    IM_TRY(load_training(model, &file, path, err));
    IM_TRY(im_model_check(model, path, IMSAT_EFORMAT, err));
    IM_TRY(load_record(&model->record, &file, path, err));

cleanup:
    st = im_bytes_check(&file.bytes, st, err);
    if (st == IMSAT_OK) {
        *out = model;
        model = NULL;
    }
    imsat_model_free(model);
    im_safetensors_clear(&file);
    return st;
}
