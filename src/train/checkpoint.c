/* SPDX-License-Identifier: MIT
 * See checkpoint.h. */
#include "train/checkpoint.h"

#include "core/alloc.h"
#include "data/record.h"
#include "train/options_record.h"

#include <stdio.h>

#define FORMAT "imsat-checkpoint-1"

/* An array of the session and its name in the file: one list serves saving and loading. */
typedef struct named_array {
    const char *name;
    void *data;
    im_tensor_type type;
    size_t element, count;
} named_array;

enum { ARRAYS = 8 };

static size_t list_arrays(named_array list[ARRAYS], const im_session *s)
{
    const im_trainer *t = &s->trainer;
    const size_t params = t->net.nparams, running = t->net.nrunning, real = sizeof(im_real);
    size_t n = 0;
    list[n++] = (named_array){"params", t->net.params, IM_TENSOR_REAL, real, params};
    list[n++] = (named_array){"running", t->net.running, IM_TENSOR_REAL, real, running};
    list[n++] = (named_array){"adam.m", t->adam.m, IM_TENSOR_REAL, real, params};
    list[n++] = (named_array){"adam.v", t->adam.v, IM_TENSOR_REAL, real, params};
    list[n++] = (named_array){"best.params", s->best.params, IM_TENSOR_REAL, real, params};
    list[n++] = (named_array){"best.running", s->best.running, IM_TENSOR_REAL, real, running};
    const size_t rows = s->opt->runs * s->data->rows;
    if (s->labels)
        list[n++] = (named_array){"labels", s->labels, IM_TENSOR_I32, sizeof(int32_t), rows};
    if (s->codes)
        list[n++] =
            (named_array){"codes", s->codes, IM_TENSOR_U8, 1, rows * im_session_code_bytes(s)};
    return n;
}

/* A number of the session and its key. */
typedef struct named_number {
    char key[48];
    double *value;
} named_number;

enum { TERM_NUMBERS = IMSAT_TERMS + 1, RUN_NUMBERS = TERM_NUMBERS + 1 };

/* An objective and its terms, under "PREFIX.objective" and "PREFIX.TERM". */
static void list_terms(named_number list[TERM_NUMBERS], const char *prefix, double *objective,
                       double term[IMSAT_TERMS])
{
    snprintf(list[0].key, sizeof list[0].key, "%s.objective", prefix);
    list[0].value = objective;
    for (size_t i = 0; i < IMSAT_TERMS; i++) {
        snprintf(list[i + 1].key, sizeof list[i + 1].key, "%s.%s", prefix,
                 imsat_term_name((imsat_term)i));
        list[i + 1].value = &term[i];
    }
}

static void list_run(named_number list[RUN_NUMBERS], const im_session *s, size_t i)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "run.%zu", i);
    list_terms(list, prefix, &s->run[i].objective, s->run[i].term);
    snprintf(list[TERM_NUMBERS].key, sizeof list[TERM_NUMBERS].key, "%s.mu", prefix);
    list[TERM_NUMBERS].value = &s->run[i].mu;
}

static imsat_status put_identity(im_safetensors *file, const imsat_options *opt,
                                 const imsat_data *data, uint64_t fingerprint,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_safetensors_set(file, "format", FORMAT, err));
    IM_TRY(im_safetensors_set(file, "version", IMSAT_VERSION, err));
    IM_TRY(im_record_count(file, "data.rows", data->rows, err));
    IM_TRY(im_record_count(file, "data.dim", data->dim, err));
    IM_TRY(im_record_count(file, "data.fingerprint", fingerprint, err));
    IM_TRY(im_record_options(file, opt, err));

cleanup:
    return st;
}

static imsat_status put_position(im_safetensors *file, const im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_number list[RUN_NUMBERS];
    im_terms sums = s->at.sums;
    IM_TRY(im_record_count(file, "at.run", s->at.run, err));
    IM_TRY(im_record_count(file, "at.rung", s->at.rung, err));
    IM_TRY(im_record_count(file, "at.epoch", s->at.epoch, err));
    IM_TRY(im_record_count(file, "at.rung_epoch", s->at.rung_epoch, err));
    IM_TRY(im_record_count(file, "at.step", s->at.step, err));
    IM_TRY(im_record_count(file, "at.steps", s->at.steps, err));
    IM_TRY(im_record_count(file, "at.best_run", s->best_run, err));
    IM_TRY(im_record_count(file, "at.adam_steps", s->trainer.adam.t, err));
    list_terms(list, "sums", &sums.objective, sums.term);
    for (size_t f = 0; f < TERM_NUMBERS; f++)
        IM_TRY(im_record_number(file, list[f].key, *list[f].value, err));
    for (size_t i = 0; i < s->at.run; i++) {
        char key[40];
        snprintf(key, sizeof key, "run.%zu.epochs", i);
        IM_TRY(im_record_count(file, key, s->run[i].epochs, err));
        list_run(list, s, i);
        for (size_t f = 0; f < RUN_NUMBERS; f++)
            IM_TRY(im_record_number(file, list[f].key, *list[f].value, err));
    }

cleanup:
    return st;
}

static imsat_status put_radius(im_safetensors *file, const im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_radius_info *info = &s->radius_info;
    IM_TRY(
        im_safetensors_add(file, "radius", IM_TENSOR_F32, s->radius, 1, &s->data->rows, err));
    IM_TRY(im_record_count(file, "radius.method", info->method, err));
    IM_TRY(im_record_count(file, "radius.sample", info->sample, err));
    IM_TRY(im_record_number(file, "radius.error", info->error, err));

cleanup:
    return st;
}

imsat_status im_checkpoint_save(const im_session *s, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    named_array list[ARRAYS];
    const size_t n = list_arrays(list, s);
    IM_TRY(put_identity(&file, s->opt, s->data, s->fingerprint, err));
    IM_TRY(put_position(&file, s, err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(&file, list[i].name, list[i].type, list[i].data, 1,
                                  &list[i].count, err));
    if (s->radius)
        IM_TRY(put_radius(&file, s, err));
    IM_TRY(im_safetensors_write(&file, path, err));

cleanup:
    im_safetensors_clear(&file);
    return st;
}

/* Is it a checkpoint, of this data and these options? */
static imsat_status check_identity(const im_safetensors *file, const char *path,
                                   const imsat_options *opt, const imsat_data *data,
                                   uint64_t fingerprint, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors now = {0};
    const char *format = im_safetensors_value(file, "format");
    if (!format || strcmp(format, FORMAT) != 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: is not a checkpoint of this version", path);
        goto cleanup;
    }
    IM_TRY(put_identity(&now, opt, data, fingerprint, err));
    IM_TRY(im_record_same(&now, file, path, "option.", err));
    IM_TRY(im_record_same(&now, file, path, "data.", err));
    IM_TRY(im_record_same(&now, file, path, "version", err));

cleanup:
    im_safetensors_clear(&now);
    return st;
}

static imsat_status get_position(im_session *s, const im_safetensors *file, const char *path,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_number list[RUN_NUMBERS];
    im_position at;
    uint64_t run, rung, epoch, rung_epoch, step, steps, best, adam_steps;
    IM_TRY(im_record_get_count(&run, file, path, "at.run", err));
    IM_TRY(im_record_get_count(&rung, file, path, "at.rung", err));
    IM_TRY(im_record_get_count(&epoch, file, path, "at.epoch", err));
    IM_TRY(im_record_get_count(&rung_epoch, file, path, "at.rung_epoch", err));
    IM_TRY(im_record_get_count(&step, file, path, "at.step", err));
    IM_TRY(im_record_get_count(&steps, file, path, "at.steps", err));
    IM_TRY(im_record_get_count(&best, file, path, "at.best_run", err));
    IM_TRY(im_record_get_count(&adam_steps, file, path, "at.adam_steps", err));
    if (run > s->opt->runs || best >= s->opt->runs || steps > UINT32_MAX) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: the position is out of range", path);
        goto cleanup;
    }
    at = (im_position){.run = run,
                       .rung = rung,
                       .epoch = epoch,
                       .rung_epoch = rung_epoch,
                       .step = step,
                       .steps = (uint32_t)steps};
    list_terms(list, "sums", &at.sums.objective, at.sums.term);
    for (size_t f = 0; f < TERM_NUMBERS; f++)
        IM_TRY(im_record_get_number(list[f].value, file, path, list[f].key, err));
    for (size_t i = 0; i < run; i++) {
        char key[40];
        uint64_t epochs;
        snprintf(key, sizeof key, "run.%zu.epochs", i);
        IM_TRY(im_record_get_count(&epochs, file, path, key, err));
        s->run[i].epochs = epochs;
        s->run[i].seed = s->opt->seed + i;
        list_run(list, s, i);
        for (size_t f = 0; f < RUN_NUMBERS; f++)
            IM_TRY(im_record_get_number(list[f].value, file, path, list[f].key, err));
    }
    s->at = at;
    s->best_run = best;
    s->trainer.adam.t = adam_steps;

cleanup:
    return st;
}

imsat_status im_checkpoint_load(im_session *s, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    const im_tensor *found[ARRAYS];
    named_array list[ARRAYS];
    const size_t n = list_arrays(list, s);
    IM_TRY(im_safetensors_read(&file, path, err));
    IM_TRY(check_identity(&file, path, s->opt, s->data, s->fingerprint, err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_get(&found[i], &file, path, list[i].name, list[i].type, 1,
                                  &list[i].count, err));
    IM_TRY(get_position(s, &file, path, err));
    for (size_t i = 0; i < n; i++)
        memcpy(list[i].data, found[i]->data, list[i].count * list[i].element);
    s->trainer.seed = s->opt->seed + s->at.run;
    s->trainer.mu = s->opt->mu_auto ? im_ladder_mu(s->opt->lambda, s->at.rung) : s->opt->mu;

cleanup:
    im_safetensors_clear(&file);
    return st;
}

static imsat_status get_info(imsat_radius_info *out, const im_safetensors *file,
                             const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_radius_info info = {0};
    uint64_t method, sample;
    IM_TRY(im_record_get_count(&method, file, path, "radius.method", err));
    IM_TRY(im_record_get_count(&sample, file, path, "radius.sample", err));
    IM_TRY(im_record_get_number(&info.error, file, path, "radius.error", err));
    if (method >= IMSAT_RADIUS_METHODS) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: the method of the radius is out of range", path);
        goto cleanup;
    }
    info.method = (imsat_radius_method)method;
    info.sample = sample;
    *out = info;

cleanup:
    return st;
}

imsat_status im_checkpoint_radius(float *radius, imsat_radius_info *info, bool *found,
                                  const imsat_options *resolved, const imsat_data *data,
                                  uint64_t fingerprint, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    const im_tensor *tensor;
    *found = im_file_exists(resolved->checkpoint);
    if (!*found)
        return IMSAT_OK;
    IM_TRY(im_safetensors_read(&file, resolved->checkpoint, err));
    IM_TRY(check_identity(&file, resolved->checkpoint, resolved, data, fingerprint, err));
    IM_TRY(im_safetensors_get(&tensor, &file, resolved->checkpoint, "radius", IM_TENSOR_F32, 1,
                              &data->rows, err));
    IM_TRY(get_info(info, &file, resolved->checkpoint, err));
    memcpy(radius, tensor->data, data->rows * sizeof *radius);

cleanup:
    im_safetensors_clear(&file);
    return st;
}
