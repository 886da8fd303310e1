/* SPDX-License-Identifier: MIT
 * An auto-encoder under way in a checkpoint; see autoencoder.h. */
#include "baseline/autoencoder.h"

#include "data/record.h"
#include "data/tensor.h"

#include <math.h>
#include <string.h>

#define STAGE    "at.stage"
#define STEP     "at.step"
#define SUM      "at.sum"
#define FIRST    "at.first"
#define HALVINGS "at.halvings"

enum { MOST_ARRAYS = 3 };

typedef struct named_array {
    const char *name;
    im_real *data;
    size_t count;
} named_array;

static size_t list_arrays(named_array list[MOST_ARRAYS], const im_autoencoder *ae)
{
    size_t n = 0;
    list[n++] = (named_array){"autoencoder.params", ae->whole.params, ae->whole.nparams};
    list[n++] = (named_array){"autoencoder.velocity", ae->sgd.v, ae->sgd.n};
    if (ae->stage < ae->layers)
        list[n++] = (named_array){"autoencoder.pair", ae->pair.params, ae->pair.nparams};
    return n;
}

imsat_status im_autoencoder_put(im_safetensors *file, const void *state, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_autoencoder *ae = state;
    named_array list[MOST_ARRAYS];
    const size_t n = list_arrays(list, ae);
    IM_TRY(im_record_count(file, STAGE, ae->stage, err));
    IM_TRY(im_record_count(file, STEP, ae->step, err));
    IM_TRY(im_record_count(file, HALVINGS, ae->halvings, err));
    IM_TRY(im_record_number(file, FIRST, ae->first, err));
    IM_TRY(im_record_number(file, SUM, ae->sum, err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, IM_TENSOR_REAL, list[i].data, 1,
                                  &list[i].count, err));

cleanup:
    return st;
}

bool im_autoencoder_has_state(const im_safetensors *file)
{
    return im_safetensors_value(file, STAGE) != NULL;
}

imsat_status im_autoencoder_get(im_autoencoder *ae, const im_safetensors *file,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = ae->fit->opt->checkpoint;
    named_array list[MOST_ARRAYS];
    const im_tensor *found[MOST_ARRAYS];
    uint64_t stage = 0, step = 0, halvings = 0;
    IM_TRY(im_record_get_within(&stage, file, path, STAGE, 0, ae->layers, err));
    IM_TRY(im_record_get_within(&step, file, path, STEP, 0,
                                im_autoencoder_stage_steps(ae, (size_t)stage), err));
    IM_TRY(im_record_get_within(&halvings, file, path, HALVINGS, 0, IM_AUTOENCODER_HALVINGS,
                                err));
    IM_TRY(im_record_get_finite(&ae->first, file, path, FIRST, 0, err));
    IM_TRY(im_record_get_finite(&ae->sum, file, path, SUM, 0, err));
    ae->stage = (size_t)stage;
    ae->step = (size_t)step;
    ae->halvings = (size_t)halvings;
    IM_TRY(im_autoencoder_open_stage(ae, err));
    const size_t n = list_arrays(list, ae);
    for (size_t i = 0; i < n; i++) {
        IM_TRY(im_safetensors_get(&found[i], file, path, list[i].name, IM_TENSOR_REAL, 1,
                                  &list[i].count, err));
        IM_TRY(im_tensor_check(found[i], path, -(double)INFINITY, (double)INFINITY, err));
        memcpy(list[i].data, found[i]->data, list[i].count * sizeof(im_real));
    }

cleanup:
    return st;
}
