/* SPDX-License-Identifier: MIT
 * See encoder.h. */
#include "model/encoder.h"

#include "core/alloc.h"
#include "data/record.h"
#include "imsat/search.h"

#include <stdio.h>

enum {
    MOST_UNITS = 100000000,             /* of a layer; keeps products of file sizes in range */
    MOST_HIDDEN = IMSAT_MAX_HIDDEN + 1, /* those of the options, and a code */
    MOST_TENSORS = 5 * IM_MAX_LAYERS
};

#define FIRST "readout.first"

/* The tensors of a network and where they are in memory: one list for saving and loading. */
typedef struct named_tensor {
    char name[64];
    im_real *data;
    size_t dims, shape[2];
} named_tensor;

static void list_one(named_tensor *list, size_t *n, const char *prefix, size_t layer,
                     const char *what, im_real *data, size_t count)
{
    named_tensor *t = &list[(*n)++];
    *t = (named_tensor){.data = data, .dims = 1, .shape = {count, 0}};
    snprintf(t->name, sizeof t->name, "%slayer.%zu.%s", prefix, layer, what);
}

static size_t list_tensors(named_tensor list[MOST_TENSORS], const char *prefix,
                           const im_net *net)
{
    size_t n = 0;
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        list_one(list, &n, prefix, l, "weight", layer->w, layer->out);
        list[n - 1].dims = 2;
        list[n - 1].shape[1] = layer->in;
        list_one(list, &n, prefix, l, "bias", layer->bias, layer->out);
        if (!layer->gain)
            continue;
        list_one(list, &n, prefix, l, "gain", layer->gain, layer->out);
        list_one(list, &n, prefix, l, "mean", layer->mean, layer->out);
        list_one(list, &n, prefix, l, "var", layer->var, layer->out);
    }
    return n;
}

static void shape_key(char *key, size_t room, const char *prefix, const char *what)
{
    snprintf(key, room, "%snet.%s", prefix, what);
}

/* Normalized layers are not mentioned, as in the first files. */
static imsat_status describe_form(im_safetensors *file, const char *prefix, size_t layer,
                                  im_form form, imsat_error *err)
{
    char key[64], what[32];
    if (form == IM_FORM_NORMALIZED)
        return IMSAT_OK;
    snprintf(what, sizeof what, "form.%zu", layer);
    shape_key(key, sizeof key, prefix, what);
    return im_safetensors_set(file, key, im_form_name(form), err);
}

imsat_status im_encoder_describe(im_safetensors *file, const char *prefix, const im_net *net,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char key[64], layer[32];
    shape_key(key, sizeof key, prefix, "dim");
    IM_TRY(im_record_count(file, key, net->dim, err));
    shape_key(key, sizeof key, prefix, "hidden");
    IM_TRY(im_record_count(file, key, net->layers - 1, err));
    for (size_t l = 0; l + 1 < net->layers; l++) {
        snprintf(layer, sizeof layer, "hidden.%zu", l);
        shape_key(key, sizeof key, prefix, layer);
        IM_TRY(im_record_count(file, key, net->layer[l].out, err));
        IM_TRY(describe_form(file, prefix, l, net->layer[l].form, err));
    }
    shape_key(key, sizeof key, prefix, "outputs");
    IM_TRY(im_record_count(file, key, net->outputs, err));
    if (net->readout == IM_READOUT_PLAIN)
        return IMSAT_OK;
    shape_key(key, sizeof key, prefix, "readout");
    IM_TRY(im_safetensors_set(file, key, im_readout_name(net->readout), err));
    shape_key(key, sizeof key, prefix, "units");
    IM_TRY(im_record_count(file, key, net->layer[net->layers - 1].out, err));

cleanup:
    return st;
}

imsat_status im_encoder_add(im_safetensors *file, const char *prefix, const im_net *net,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_tensor list[MOST_TENSORS];
    const size_t n = list_tensors(list, prefix, net);
    const size_t ends = net->outputs + 1;
    char name[64];
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, IM_TENSOR_REAL, list[i].data,
                                  list[i].dims, list[i].shape, err));
    snprintf(name, sizeof name, "%s" FIRST, prefix);
    if (net->first)
        IM_TRY(im_safetensors_add(file, name, IM_TENSOR_U64, net->first, 1, &ends, err));

cleanup:
    return st;
}

imsat_status im_encoder_check(const im_net *net, const char *path, const char *prefix,
                              imsat_status status, imsat_error *err)
{
    im_net_fault fault;
    if (!im_net_find_fault(&fault, net))
        return IMSAT_OK;
    return im_fail(err, status, "%s: element %zu of %s%s is %g, which no network may hold",
                   path, fault.element, prefix, fault.tensor, fault.value);
}

/* ---- loading ---------------------------------------------------------------------------- */

typedef struct shape {
    size_t dim, hidden_count, outputs, units;
    im_readout readout;
    size_t hidden[MOST_HIDDEN];
    im_form forms[MOST_HIDDEN];
} shape;

/* A count of the metadata within [least, most]. */
static imsat_status get_size(size_t *out, const im_safetensors *file, const char *path,
                             const char *prefix, const char *what, size_t least, size_t most,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t value = 0;
    char key[64];
    shape_key(key, sizeof key, prefix, what);
    IM_TRY(im_record_get_within(&value, file, path, key, least, most, err));
    *out = (size_t)value;

cleanup:
    return st;
}

static imsat_status get_form(im_form *out, const im_safetensors *file, const char *path,
                             const char *prefix, size_t layer, imsat_error *err)
{
    char key[64], what[32];
    snprintf(what, sizeof what, "form.%zu", layer);
    shape_key(key, sizeof key, prefix, what);
    const char *text = im_safetensors_value(file, key);
    *out = IM_FORM_NORMALIZED;
    if (!text)
        return IMSAT_OK;
    while (*out < IM_FORMS && strcmp(text, im_form_name(*out)) != 0)
        (*out)++;
    if (*out < IM_FORMS)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: \"%s\" is %.40s, and must be normalized, relu, tanh or linear", path,
                   key, text);
}

/* How outputs are made of units; what does not say so has a unit for each. */
static imsat_status get_readout(shape *s, const im_safetensors *file, const char *path,
                                const char *prefix, bool sigmoid, imsat_error *err)
{
    char key[64];
    shape_key(key, sizeof key, prefix, "readout");
    const char *name = im_safetensors_value(file, key);
    s->readout = IM_READOUT_PLAIN;
    s->units = s->outputs;
    if (!name)
        return IMSAT_OK;
    while (s->readout < IM_READOUTS && strcmp(name, im_readout_name(s->readout)) != 0)
        s->readout++;
    if (s->readout == IM_READOUTS)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: %s is %.40s, which this version of imsat does not know", path, key,
                       name);
    if (s->readout == IM_READOUT_STUDENT && (s->hidden_count == 0 || sigmoid))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: %s is %s, but there are no clusters behind hidden layers", path,
                       key, name);
    return im_readout_groups(s->readout)
               ? get_size(&s->units, file, path, prefix, "units", s->outputs, MOST_UNITS, err)
               : IMSAT_OK;
}

/* Refuses a lie about the shape before memory is taken for it. */
static imsat_status get_shape(shape *s, const im_safetensors *file, const char *path,
                              const char *prefix, bool sigmoid, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t weights = 0;
    IM_TRY(get_size(&s->dim, file, path, prefix, "dim", 1, MOST_UNITS, err));
    IM_TRY(get_size(&s->hidden_count, file, path, prefix, "hidden", 0, MOST_HIDDEN, err));
    IM_TRY(get_size(&s->outputs, file, path, prefix, "outputs", sigmoid ? 1 : 2,
                    sigmoid ? IMSAT_MAX_BITS : MOST_UNITS, err));
    IM_TRY(get_readout(s, file, path, prefix, sigmoid, err));
    for (size_t l = 0; l < s->hidden_count; l++) {
        char key[32];
        snprintf(key, sizeof key, "hidden.%zu", l);
        IM_TRY(get_size(&s->hidden[l], file, path, prefix, key, 1, MOST_UNITS, err));
        IM_TRY(get_form(&s->forms[l], file, path, prefix, l, err));
    }
    for (size_t l = 0; l <= s->hidden_count; l++)
        weights +=
            (l ? s->hidden[l - 1] : s->dim) * (l < s->hidden_count ? s->hidden[l] : s->units);
    if (weights > file->bytes.size / sizeof(im_real))
        st = im_fail(err, IMSAT_EFORMAT, "%s: is too short for a network of %zu weights", path,
                     weights);

cleanup:
    return st;
}

static imsat_status load_tensor(const named_tensor *t, const im_safetensors *file,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *found;
    const size_t count = t->shape[0] * (t->dims == 2 ? t->shape[1] : 1);
    IM_TRY(im_safetensors_get(&found, file, path, t->name, IM_TENSOR_REAL, t->dims, t->shape,
                              err));
    memcpy(t->data, found->data, count * sizeof *t->data);

cleanup:
    return st;
}

/* Every output has units, and they are all of the last layer's. */
static imsat_status load_readout(im_net *net, const shape *s, const im_safetensors *file,
                                 const char *path, const char *prefix, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *found = NULL;
    const size_t ends = s->outputs + 1;
    uint64_t before = 0;
    char name[64];
    if (!im_readout_groups(s->readout))
        return im_net_read_out(net, s->readout, s->outputs, NULL, err);
    snprintf(name, sizeof name, "%s" FIRST, prefix);
    IM_TRY(im_safetensors_get(&found, file, path, name, IM_TENSOR_U64, 1, &ends, err));
    IM_TRY(im_net_read_out(net, s->readout, s->outputs, found->data, err));
    for (size_t g = 0; g < ends; before = net->first[g++])
        if ((g == 0) != (net->first[g] == 0) || (g > 0 && net->first[g] <= before) ||
            (g == s->outputs && net->first[g] != s->units))
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of %s is %llu, but the units of outputs follow "
                           "each other, from 0 to %zu",
                           path, g, name, (unsigned long long)net->first[g], s->units);

cleanup:
    return st;
}

imsat_status im_encoder_load(im_net *out, const im_safetensors *file, const char *path,
                             const char *prefix, bool sigmoid, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_net net = {0};
    shape s = {0};
    named_tensor list[MOST_TENSORS];
    IM_TRY(get_shape(&s, file, path, prefix, sigmoid, err));
    IM_TRY(im_net_new_forms(&net, s.dim, s.hidden, s.forms, s.hidden_count, s.units, err));
    IM_TRY(load_readout(&net, &s, file, path, prefix, err));
    net.sigmoid = sigmoid;
    const size_t n = list_tensors(list, prefix, &net);
    for (size_t i = 0; i < n; i++)
        IM_TRY(load_tensor(&list[i], file, path, err));
    IM_TRY(im_encoder_check(&net, path, prefix, IMSAT_EFORMAT, err));
    *out = net;
    net = (im_net){0};

cleanup:
    im_net_clear(&net);
    return st;
}
