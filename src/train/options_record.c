/* SPDX-License-Identifier: MIT
 * See options_record.h. */
#include "train/options_record.h"

#include "data/record.h"
#include "train/methods.h"

#include <stdio.h>

/* The prior by its values, or "uniform". */
static imsat_status record_prior(im_safetensors *file, const imsat_options *o,
                                 imsat_error *err)
{
    if (!o->prior)
        return im_safetensors_set(file, "option.prior", "uniform", err);
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a over the bytes */
    const unsigned char *bytes = (const unsigned char *)o->prior;
    for (size_t i = 0; i < o->k * sizeof *o->prior; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return im_record_count(file, "option.prior", hash, err);
}

static imsat_status record_hidden(im_safetensors *file, const imsat_options *o,
                                  imsat_error *err)
{
    char text[IMSAT_MAX_HIDDEN * 24] = "none";
    for (size_t l = 0, used = 0; l < o->hidden_count; l++)
        used += (size_t)snprintf(text + used, sizeof text - used, l ? ",%zu" : "%zu",
                                 o->hidden[l]);
    return im_safetensors_set(file, "option.hidden", text, err);
}

imsat_status im_record_options(im_safetensors *file, const imsat_options *o, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"option.lambda", o->lambda},
        {"option.mu", o->mu},
        {"option.delta", o->delta},
        {"option.decay", o->decay},
        {"option.alpha", o->alpha},
        {"option.xi", o->xi},
        {"option.step_size", o->step_size},
        {"option.init_hidden", o->init_hidden},
        {"option.init_output", o->init_output},
        {"option.scale", o->scale},
        {"option.shift", o->shift},
    };
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"option.k", o->k},
        {"option.bits", o->bits},
        {"option.seed", o->seed},
        {"option.runs", o->runs},
        {"option.epochs", o->epochs},
        {"option.batch", o->batch},
        {"option.neighbor", o->neighbor},
        {"option.power", o->power},
        {"option.mu_auto", o->mu_auto != 0},
        {"option.xi_relative", o->xi_relative != 0},
        {"option.fresh_batches", o->fresh_batches != 0},
        {"option.standardize", o->standardize != 0},
        {"option.unit_norm", o->unit_norm != 0},
        {"option.center", o->center != 0},
        {"option.reference_kernels", o->reference_kernels != 0},
    };
    IM_TRY(im_safetensors_set(file, "option.task", imsat_task_name(o->task), err));
    IM_TRY(im_safetensors_set(file, "option.method", imsat_method_name(o->method), err));
    IM_TRY(im_safetensors_set(file, "option.preset", imsat_preset_name(o->preset), err));
    IM_TRY(im_safetensors_set(file, "option.radius_method",
                              imsat_radius_method_name(o->radius_method), err));
    IM_TRY(record_hidden(file, o, err));
    IM_TRY(record_prior(file, o, err));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        IM_TRY(im_record_number(file, numbers[i].key, numbers[i].value, err));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        IM_TRY(im_record_count(file, counts[i].key, counts[i].value, err));

cleanup:
    return st;
}
