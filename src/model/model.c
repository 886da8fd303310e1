/* SPDX-License-Identifier: MIT
 *
 * The model file: safetensors with the tensors
 *
 *     layer.L.weight (out,in)   layer.L.bias (out)                          every layer
 *     layer.L.gain, layer.L.mean, layer.L.var (out)                         hidden layers
 *     preprocess.mean, preprocess.inv_deviation, preprocess.center (dim)    if used; double
 *
 * and the metadata format, version, kind (the task), net.* (shape), code.* (of hash codes),
 * preprocess.*, option.*, data.*, result.*.
 */
#include "model/model.h"

#include "core/alloc.h"
#include "data/record.h"
#include "imsat/search.h"

#include <math.h>
#include <stdio.h>

#define FORMAT "imsat-model-1"

enum { MOST_UNITS = 100000000 }; /* of a layer; keeps products of file sizes in range */

void imsat_model_free(imsat_model *model)
{
    if (!model)
        return;
    im_net_clear(&model->net);
    im_preprocess_clear(&model->pre);
    im_safetensors_clear(&model->record);
    im_free(model);
}

size_t imsat_model_dim(const imsat_model *model)
{
    return model->net.dim;
}

imsat_task imsat_model_task(const imsat_model *model)
{
    return model->net.sigmoid ? IMSAT_TASK_HASH : IMSAT_TASK_CLUSTER;
}

size_t imsat_model_clusters(const imsat_model *model)
{
    return model->net.sigmoid ? 0 : model->net.outputs;
}

size_t imsat_model_bits(const imsat_model *model)
{
    return model->net.sigmoid ? model->net.outputs : 0;
}

imsat_status imsat_model_metadata(const imsat_model *model, size_t i, const char **name,
                                  const char **value)
{
    if (i >= model->record.entries)
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

imsat_status im_model_describe(imsat_model *model, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors *r = &model->record;
    const im_preprocess *pre = &model->pre;
    IM_TRY(im_safetensors_set(r, "format", FORMAT, err));
    IM_TRY(im_safetensors_set(r, "version", IMSAT_VERSION, err));
    IM_TRY(im_safetensors_set(r, "kind", imsat_task_name(imsat_model_task(model)), err));
    IM_TRY(im_record_count(r, "net.dim", model->net.dim, err));
    IM_TRY(im_record_count(r, "net.hidden", model->net.layers - 1, err));
    for (size_t l = 0; l + 1 < model->net.layers; l++) {
        char key[32];
        snprintf(key, sizeof key, "net.hidden.%zu", l);
        IM_TRY(im_record_count(r, key, model->net.layer[l].out, err));
    }
    IM_TRY(im_record_count(r, "net.outputs", model->net.outputs, err));
    if (model->net.sigmoid)
        IM_TRY(describe_codes(model, err));
    IM_TRY(im_record_number(r, "preprocess.scale", pre->scale, err));
    IM_TRY(im_record_number(r, "preprocess.shift", pre->shift, err));
    IM_TRY(im_record_count(r, "preprocess.standardize", pre->standardize, err));
    IM_TRY(im_record_count(r, "preprocess.unit_norm", pre->unit_norm, err));
    IM_TRY(im_record_count(r, "preprocess.center", pre->center, err));
    IM_TRY(im_record_number(r, "preprocess.factor", pre->factor, err));

cleanup:
    return st;
}

/* The tensors of a model and where they are in memory: one list for saving and loading. */
typedef struct named_tensor {
    char name[40];
    void *data;
    im_tensor_type type;
    size_t dims, shape[2];
} named_tensor;

enum { MOST_TENSORS = 5 * IM_MAX_LAYERS + 3 };

static void add_vector(named_tensor *list, size_t *n, size_t layer, const char *what,
                       im_real *data, size_t count)
{
    named_tensor *t = &list[(*n)++];
    *t = (named_tensor){.data = data, .type = IM_TENSOR_REAL, .dims = 1, .shape = {count, 0}};
    snprintf(t->name, sizeof t->name, "layer.%zu.%s", layer, what);
}

static void add_double(named_tensor *list, size_t *n, const char *name, double *data,
                       size_t count)
{
    named_tensor *t = &list[(*n)++];
    *t = (named_tensor){.data = data, .type = IM_TENSOR_F64, .dims = 1, .shape = {count, 0}};
    snprintf(t->name, sizeof t->name, "preprocess.%s", name);
}

static size_t list_tensors(named_tensor list[MOST_TENSORS], const imsat_model *model)
{
    size_t n = 0;
    for (size_t l = 0; l < model->net.layers; l++) {
        const im_layer *layer = &model->net.layer[l];
        add_vector(list, &n, l, "weight", layer->w, layer->out);
        list[n - 1].dims = 2;
        list[n - 1].shape[1] = layer->in;
        add_vector(list, &n, l, "bias", layer->bias, layer->out);
        if (!layer->hidden)
            continue;
        add_vector(list, &n, l, "gain", layer->gain, layer->out);
        add_vector(list, &n, l, "mean", layer->mean, layer->out);
        add_vector(list, &n, l, "var", layer->var, layer->out);
    }
    const im_preprocess *pre = &model->pre;
    if (pre->standardize) {
        add_double(list, &n, "mean", pre->mean, pre->dim);
        add_double(list, &n, "inv_deviation", pre->inv_deviation, pre->dim);
    }
    if (pre->center)
        add_double(list, &n, "center", pre->center_mean, pre->dim);
    return n;
}

imsat_status imsat_model_save(const imsat_model *model, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    named_tensor list[MOST_TENSORS];
    const size_t n = list_tensors(list, model);
    for (size_t i = 0; i < model->record.entries; i++)
        IM_TRY(im_safetensors_set(&file, model->record.keys[i], model->record.values[i], err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(&file, list[i].name, list[i].type, list[i].data,
                                  list[i].dims, list[i].shape, err));
    IM_TRY(im_safetensors_write(&file, path, err));

cleanup:
    im_safetensors_clear(&file);
    return st;
}

/* A count of the metadata within [least, most]. */
static imsat_status get_size(size_t *out, const im_safetensors *file, const char *path,
                             const char *key, size_t least, size_t most, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t value = 0;
    IM_TRY(im_record_get_count(&value, file, path, key, err));
    if (value < least || value > most)
        return im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is %llu, and must be from %zu to %zu",
                       path, key, (unsigned long long)value, least, most);
    *out = (size_t)value;

cleanup:
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

static imsat_status load_shape(im_net *net, const im_safetensors *file, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t dim = 0, hidden_count = 0, outputs = 0, weights = 0;
    size_t hidden[IMSAT_MAX_HIDDEN] = {0};
    bool hashes = false;
    IM_TRY(load_kind(&hashes, file, path, err));
    IM_TRY(get_size(&dim, file, path, "net.dim", 1, MOST_UNITS, err));
    IM_TRY(get_size(&hidden_count, file, path, "net.hidden", 0, IMSAT_MAX_HIDDEN, err));
    IM_TRY(get_size(&outputs, file, path, "net.outputs", hashes ? 1 : 2,
                    hashes ? IMSAT_MAX_BITS : MOST_UNITS, err));
    for (size_t l = 0; l < hidden_count; l++) {
        char key[32];
        snprintf(key, sizeof key, "net.hidden.%zu", l);
        IM_TRY(get_size(&hidden[l], file, path, key, 1, MOST_UNITS, err));
    }
    /* Refuse a lie about the shape before memory is taken for it. */
    for (size_t l = 0; l <= hidden_count; l++)
        weights += (l ? hidden[l - 1] : dim) * (l < hidden_count ? hidden[l] : outputs);
    if (weights > file->bytes.size / sizeof(im_real)) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: is too short for a network of %zu weights", path,
                     weights);
        goto cleanup;
    }
    IM_TRY(im_net_new(net, dim, hidden, hidden_count, outputs, err));
    net->sigmoid = hashes;

cleanup:
    return st;
}

static imsat_status load_flag(bool *out, const im_safetensors *file, const char *path,
                              const char *key, imsat_error *err)
{
    size_t value = 0;
    const imsat_status st = get_size(&value, file, path, key, 0, 1, err);
    *out = value == 1;
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

static imsat_status check_finite(const named_tensor *t, const char *path, imsat_error *err)
{
    const size_t count = t->shape[0] * (t->dims == 2 ? t->shape[1] : 1);
    for (size_t i = 0; i < count; i++) {
        const double value =
            t->type == IM_TENSOR_F64 ? ((double *)t->data)[i] : ((float *)t->data)[i];
        if (!isfinite(value))
            return im_fail(err, IMSAT_EFORMAT, "%s: element %zu of %s is %g", path, i, t->name,
                           value);
    }
    return IMSAT_OK;
}

static imsat_status load_tensors(imsat_model *model, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_tensor list[MOST_TENSORS];
    const size_t n = list_tensors(list, model);
    for (size_t i = 0; i < n; i++) {
        const im_tensor *found;
        IM_TRY(im_safetensors_get(&found, file, path, list[i].name, list[i].type, list[i].dims,
                                  list[i].shape, err));
        const size_t count = list[i].shape[0] * (list[i].dims == 2 ? list[i].shape[1] : 1);
        memcpy(list[i].data, found->data,
               count * (list[i].type == IM_TENSOR_F64 ? sizeof(double) : sizeof(float)));
        IM_TRY(check_finite(&list[i], path, err));
    }

cleanup:
    return st;
}

imsat_status imsat_model_load(imsat_model **out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    imsat_model *model = im_alloc(1, sizeof *model);
    if (!model)
        return im_fail_memory(err, "the model");
    IM_TRY(im_safetensors_read(&file, path, err));
    const char *format = im_safetensors_value(&file, "format");
    if (!format || strcmp(format, FORMAT) != 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: is not a model of imsat (its format is %.40s)",
                     path, format ? format : "not stated");
        goto cleanup;
    }
    IM_TRY(load_shape(&model->net, &file, path, err));
    IM_TRY(load_preprocess(&model->pre, model->net.dim, &file, path, err));
    IM_TRY(load_tensors(model, &file, path, err));
    for (size_t i = 0; i < file.entries; i++)
        IM_TRY(im_safetensors_set(&model->record, file.keys[i], file.values[i], err));
    *out = model;
    model = NULL;

cleanup:
    imsat_model_free(model);
    im_safetensors_clear(&file);
    return st;
}
