/* SPDX-License-Identifier: MIT
 * Deep hashing under way in a checkpoint; see deep_hash.h. */
#include "baseline/deep_hash.h"

#include "data/record.h"
#include "data/tensor.h"

#include <math.h>
#include <string.h>

#define STEP "at.step"
#define SUM  "at.sum"

enum { ARRAYS = 2 };

typedef struct named_array {
    const char *name;
    im_real *data;
} named_array;

static void list_arrays(named_array list[ARRAYS], const im_deep_hash *h)
{
    list[0] = (named_array){"deep_hash.params", h->net.params};
    list[1] = (named_array){"deep_hash.velocity", h->sgd.v};
}

imsat_status im_deep_hash_put(im_safetensors *file, const void *state, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_deep_hash *h = state;
    named_array list[ARRAYS];
    list_arrays(list, h);
    IM_TRY(im_record_count(file, STEP, h->step, err));
    IM_TRY(im_record_number(file, SUM, h->sum, err));
    for (size_t i = 0; i < ARRAYS; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, IM_TENSOR_REAL, list[i].data, 1,
                                  &h->net.nparams, err));

cleanup:
    return st;
}

imsat_status im_deep_hash_get(im_deep_hash *h, const im_safetensors *file, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = h->fit->opt->checkpoint;
    named_array list[ARRAYS];
    uint64_t step = 0;
    list_arrays(list, h);
    IM_TRY(im_record_get_within(&step, file, path, STEP, 0, im_deep_hash_steps(h), err));
    IM_TRY(im_record_get_finite(&h->sum, file, path, SUM, -(double)INFINITY, err));
    h->step = (size_t)step;
    for (size_t i = 0; i < ARRAYS; i++) {
        const im_tensor *found;
        IM_TRY(im_safetensors_get(&found, file, path, list[i].name, IM_TENSOR_REAL, 1,
                                  &h->net.nparams, err));
        IM_TRY(im_tensor_check(found, path, -(double)INFINITY, (double)INFINITY, err));
        memcpy(list[i].data, found->data, h->net.nparams * sizeof(im_real));
    }

cleanup:
    return st;
}
