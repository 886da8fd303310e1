/* SPDX-License-Identifier: MIT
 * DEC under way in a checkpoint; see dec.h. */
#include "baseline/dec.h"

#include "data/record.h"
#include "data/tensor.h"

#include <math.h>
#include <string.h>

#define STEP "at.dec_step"
#define KL   "at.dec_kl"
#define SUM  "at.dec_sum"

enum { ARRAYS = 6 };

typedef struct named_array {
    const char *name;
    im_tensor_type type;
    void *data;
    size_t count, bytes;
    double least, most; /* of its elements */
} named_array;

static void list_arrays(named_array list[ARRAYS], const im_dec *dec)
{
    const double any = (double)INFINITY;
    const size_t rows = dec->e.fit->data->rows, k = dec->e.fit->opt->k;
    const size_t real = sizeof(im_real);
    list[0] = (named_array){
        "dec.params", IM_TENSOR_REAL, dec->e.net.params, dec->e.net.nparams, real, -any, any};
    list[1] = (named_array){
        "dec.velocity", IM_TENSOR_REAL, dec->weights.v, dec->weights.n, real, -any, any};
    list[2] = (named_array){
        "dec.centers", IM_TENSOR_REAL, dec->e.centers, dec->centers.n, real, -any, any};
    list[3] = (named_array){"dec.centers_velocity",
                            IM_TENSOR_REAL,
                            dec->centers.v,
                            dec->centers.n,
                            real,
                            -any,
                            any};
    list[4] = (named_array){"dec.target", IM_TENSOR_REAL, dec->target, rows * k, real, 0, 1};
    list[5] =
        (named_array){"dec.labels",   IM_TENSOR_I32, dec->labels, rows, sizeof *dec->labels, 0,
                      (double)(k - 1)};
}

imsat_status im_dec_put(im_safetensors *file, const void *state, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_dec *dec = state;
    named_array list[ARRAYS];
    list_arrays(list, dec);
    IM_TRY(im_record_count(file, STEP, dec->step, err));
    IM_TRY(im_record_number(file, KL, dec->kl, err));
    IM_TRY(im_record_number(file, SUM, dec->sum, err));
    for (size_t i = 0; i < ARRAYS; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, list[i].type, list[i].data, 1,
                                  &list[i].count, err));

cleanup:
    return st;
}

bool im_dec_has_state(const im_safetensors *file)
{
    return im_safetensors_value(file, STEP) != NULL;
}

imsat_status im_dec_get(im_dec *dec, const im_safetensors *file, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = dec->e.fit->opt->checkpoint;
    named_array list[ARRAYS];
    uint64_t step = 0;
    list_arrays(list, dec);
    IM_TRY(im_record_get_within(&step, file, path, STEP, 0, im_dec_most_steps(dec), err));
    IM_TRY(im_record_get_finite(&dec->kl, file, path, KL, -(double)INFINITY, err));
    IM_TRY(im_record_get_finite(&dec->sum, file, path, SUM, -(double)INFINITY, err));
    dec->step = (size_t)step;
    for (size_t i = 0; i < ARRAYS; i++) {
        const im_tensor *found;
        IM_TRY(im_safetensors_get(&found, file, path, list[i].name, list[i].type, 1,
                                  &list[i].count, err));
        IM_TRY(im_tensor_check(found, path, list[i].least, list[i].most, err));
        memcpy(list[i].data, found->data, list[i].count * list[i].bytes);
    }

cleanup:
    return st;
}
