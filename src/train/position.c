/* SPDX-License-Identifier: MIT
 * See position.h. */
#include "train/position.h"

#include "core/alloc.h"
#include "data/record.h"
#include "data/tensor.h"

#include <math.h>
#include <stdio.h>

/* An array of the trainer and its name in the file: one list serves saving and loading. */
typedef struct named_array {
    const char *name;
    im_real *data;
    size_t count;
    double least; /* of its elements */
} named_array;

enum { ARRAYS = 4 };
enum { RUNG, EPOCH, RUNG_EPOCH, STEP, STEPS, ADAM_STEPS, COUNTERS };

static void list_arrays(named_array list[ARRAYS], const im_trainer *t)
{
    const double any = -(double)INFINITY;
    list[0] = (named_array){"params", t->net.params, t->net.nparams, any};
    list[1] = (named_array){"running", t->net.running, t->net.nrunning, any};
    list[2] = (named_array){"adam.m", t->adam.m, t->net.nparams, any};
    list[3] = (named_array){"adam.v", t->adam.v, t->net.nparams, 0};
}

static const char *const counters[COUNTERS] = {"at.rung", "at.epoch", "at.rung_epoch",
                                               "at.step", "at.steps", "at.adam_steps"};

/* "sums.objective" for i 0, then "sums.TERM". */
static void sum_key(char *key, size_t room, size_t i)
{
    snprintf(key, room, "sums.%s", i ? imsat_term_name((imsat_term)(i - 1)) : "objective");
}

imsat_status im_position_put(im_safetensors *file, const void *state, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_position *at = state;
    named_array list[ARRAYS];
    const uint64_t values[COUNTERS] = {at->rung, at->epoch, at->rung_epoch,
                                       at->step, at->steps, at->trainer->adam.t};
    list_arrays(list, at->trainer);
    for (size_t i = 0; i < COUNTERS; i++)
        IM_TRY(im_record_count(file, counters[i], values[i], err));
    for (size_t i = 0; i <= IMSAT_TERMS; i++) {
        char key[48];
        sum_key(key, sizeof key, i);
        IM_TRY(
            im_record_number(file, key, i ? at->sums.term[i - 1] : at->sums.objective, err));
    }
    for (size_t i = 0; i < ARRAYS; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, IM_TENSOR_REAL, list[i].data, 1,
                                  &list[i].count, err));

cleanup:
    return st;
}

static imsat_status get_sums(im_terms *sums, const im_safetensors *file, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i <= IMSAT_TERMS; i++) {
        char key[48];
        sum_key(key, sizeof key, i);
        IM_TRY(im_record_get_finite(i ? &sums->term[i - 1] : &sums->objective, file, path, key,
                                    -(double)INFINITY, err));
    }

cleanup:
    return st;
}

/* The running averages of a layer are its means, which may be anything, and its variances. */
static imsat_status check_variances(const im_net *net, const im_tensor *running,
                                    const char *path, imsat_error *err)
{
    for (size_t l = 0; l + 1 < net->layers; l++) {
        const size_t first = (size_t)(net->layer[l].var - net->running);
        for (size_t i = first; i < first + net->layer[l].out; i++) {
            const im_real variance = ((const im_real *)running->data)[i];
            if (variance < 0)
                return im_fail(
                    err, IMSAT_EFORMAT,
                    "%s: element %zu of %s is %g, a variance, and must be 0 or more", path, i,
                    running->name, (double)variance);
        }
    }
    return IMSAT_OK;
}

static imsat_status find_arrays(const im_tensor *found[ARRAYS], const named_array list[ARRAYS],
                                const im_trainer *t, const im_safetensors *file,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < ARRAYS; i++) {
        IM_TRY(im_safetensors_get(&found[i], file, path, list[i].name, IM_TENSOR_REAL, 1,
                                  &list[i].count, err));
        IM_TRY(im_tensor_check(found[i], path, list[i].least, (double)INFINITY, err));
    }
    IM_TRY(check_variances(&t->net, found[1], path, err));

cleanup:
    return st;
}

imsat_status im_position_get(im_position *out, const im_safetensors *file, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_trainer *t = out->trainer;
    uint64_t value[COUNTERS];
    named_array list[ARRAYS];
    const im_tensor *found[ARRAYS];
    im_terms sums = {0};
    list_arrays(list, t);
    for (size_t i = 0; i < COUNTERS; i++)
        IM_TRY(im_record_get_within(&value[i], file, path, counters[i], 0,
                                    i == STEPS ? UINT32_MAX : UINT64_MAX, err));
    IM_TRY(get_sums(&sums, file, path, err));
    IM_TRY(find_arrays(found, list, t, file, path, err));
    for (size_t i = 0; i < ARRAYS; i++)
        memcpy(list[i].data, found[i]->data, list[i].count * sizeof(im_real));
    t->adam.t = value[ADAM_STEPS];
    *out = (im_position){.trainer = t,
                         .rung = value[RUNG],
                         .epoch = value[EPOCH],
                         .rung_epoch = value[RUNG_EPOCH],
                         .step = value[STEP],
                         .steps = (uint32_t)value[STEPS],
                         .sums = sums};

cleanup:
    return st;
}
