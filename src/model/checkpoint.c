/* SPDX-License-Identifier: MIT
 * See checkpoint.h. */
#include "model/checkpoint.h"

#include "core/alloc.h"
#include "data/record.h"
#include "data/seal.h"
#include "data/tensor.h"
#include "model/encoder.h"
#include "model/start.h"
#include "train/loop.h"

#include <math.h>
#include <stdio.h>

#define FORMAT_NAME "imsat-checkpoint-"
#define FORMAT      FORMAT_NAME "5"
#define BEST        "best."
#define SHARED      "shared."

/* ---- the numbers of runs ------------------------------------------------------------------
 */

/* A number of a run and its key. */
typedef struct named_number {
    char key[64];
    double *value;
} named_number;

enum { OBJECTIVE, MU, FIRST_TERM, RUN_NUMBERS = FIRST_TERM + IMSAT_TERMS };

static void list_run(named_number list[RUN_NUMBERS], im_run *run, size_t i)
{
    const size_t room = sizeof list[0].key;
    snprintf(list[OBJECTIVE].key, room, "run.%zu.objective", i);
    list[OBJECTIVE].value = &run->about.objective;
    snprintf(list[MU].key, room, "run.%zu.mu", i);
    list[MU].value = &run->about.mu;
    for (size_t t = 0; t < IMSAT_TERMS; t++) {
        named_number *term = &list[FIRST_TERM + t];
        snprintf(term->key, room, "run.%zu.%s", i, imsat_term_name((imsat_term)t));
        term->value = &run->term[t];
    }
}

static imsat_status put_run(im_safetensors *file, const im_runs *r, size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_number list[RUN_NUMBERS];
    char key[64];
    snprintf(key, sizeof key, "run.%zu.epochs", i);
    IM_TRY(im_record_count(file, key, r->run[i].about.epochs, err));
    list_run(list, &r->run[i], i);
    for (size_t f = 0; f < RUN_NUMBERS; f++)
        IM_TRY(im_record_number(file, list[f].key, *list[f].value, err));

cleanup:
    return st;
}

/* Of a run: epochs, those of all rungs if mu climbs, or iterations; 0 of a method that has
 * neither. */
static uint64_t most_epochs(const im_fit *given)
{
    const imsat_options *o = given->opt;
    const unsigned has = given->method->sections;
    const uint64_t iterations = has & 1U << IMSAT_SECTION_RESTARTS ? o->iterations : 0;
    const uint64_t rungs = im_options_number_open(o->mu) ? IM_LOOP_RUNGS : 1;
    const uint64_t epochs = has & 1U << IMSAT_SECTION_TRAINING ? o->epochs * rungs : 0;
    return epochs > iterations ? epochs : iterations;
}

static imsat_status get_run(im_runs *r, size_t i, const im_safetensors *file, const char *path,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    named_number list[RUN_NUMBERS];
    char key[64];
    uint64_t epochs = 0;
    snprintf(key, sizeof key, "run.%zu.epochs", i);
    IM_TRY(im_record_get_within(&epochs, file, path, key, 0, most_epochs(&r->given), err));
    r->run[i].about.epochs = (size_t)epochs;
    list_run(list, &r->run[i], i);
    for (size_t f = 0; f < RUN_NUMBERS; f++)
        IM_TRY(im_record_get_finite(list[f].value, file, path, list[f].key,
                                    f == MU ? 0 : -(double)INFINITY, err));

cleanup:
    return st;
}

/* ---- saving -------------------------------------------------------------------------------
 */

static imsat_status put_identity(im_safetensors *file, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_data *data = r->given.data;
    IM_TRY(im_safetensors_set(file, "format", FORMAT, err));
    IM_TRY(im_safetensors_set(file, "version", IMSAT_VERSION, err));
    IM_TRY(im_record_count(file, "data.rows", data->rows, err));
    IM_TRY(im_record_count(file, "data.dim", data->dim, err));
    IM_TRY(im_record_count(file, "data.fingerprint", r->fingerprint, err));
    IM_TRY(im_options_record(file, r->given.opt, r->given.method->sections, err));

cleanup:
    return st;
}

static imsat_status put_radius(im_safetensors *file, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_radius_info *info = &r->radius_info;
    IM_TRY(im_safetensors_add(file, "radius", IM_TENSOR_F32, r->given.radius, 1,
                              &r->given.data->rows, err));
    IM_TRY(im_record_count(file, "radius.method", info->method, err));
    IM_TRY(im_record_count(file, "radius.sample", info->sample, err));
    IM_TRY(im_record_number(file, "radius.error", info->error, err));

cleanup:
    return st;
}

/* What the finished runs assigned the rows to: labels or codes. */
typedef struct assigned {
    const char *name;
    im_tensor_type type;
    void *data;
    size_t count, bytes; /* elements; bytes of one */
} assigned;

static assigned assigned_of(const im_runs *r)
{
    const size_t rows = r->done * r->given.data->rows;
    if (r->labels)
        return (assigned){"labels", IM_TENSOR_I32, r->labels, rows, sizeof *r->labels};
    return (assigned){"codes", IM_TENSOR_U8, r->codes, rows * im_runs_code_bytes(r), 1};
}

static imsat_status put_history(im_safetensors *file, const im_runs *r, imsat_error *err)
{
    const imsat_status st = im_history_record(file, r->history, err);
    return st == IMSAT_OK ? im_history_add(file, r->history, err) : st;
}

static imsat_status put_runs(im_safetensors *file, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const assigned found = assigned_of(r);
    IM_TRY(im_record_count(file, "at.run", r->done, err));
    IM_TRY(im_record_count(file, "at.best_run", r->best_run, err));
    for (size_t i = 0; i < r->done; i++)
        IM_TRY(put_run(file, r, i, err));
    IM_TRY(put_history(file, r, err));
    if (r->shared.layers > 0) {
        IM_TRY(im_encoder_describe(file, SHARED, &r->shared, err));
        IM_TRY(im_encoder_add(file, SHARED, &r->shared, err));
    }
    if (r->done == 0)
        return IMSAT_OK;
    IM_TRY(im_safetensors_add(file, found.name, found.type, found.data, 1, &found.count, err));
    IM_TRY(im_encoder_describe(file, BEST, &r->best, err));
    IM_TRY(im_encoder_add(file, BEST, &r->best, err));

cleanup:
    return st;
}

imsat_status im_checkpoint_save(const im_runs *r, im_put_state *put, const void *state,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    IM_TRY(put_identity(&file, r, err));
    IM_TRY(put_runs(&file, r, err));
    if (r->given.radius)
        IM_TRY(put_radius(&file, r, err));
    IM_TRY(im_record_count(&file, "at.state", put != NULL, err));
    if (put)
        IM_TRY(put(&file, state, err));
    IM_TRY(im_seal_set(&file, err));
    IM_TRY(im_data_check(r->given.data, 0, r->given.data->rows, IMSAT_OK, err));
    IM_TRY(im_safetensors_write(&file, r->given.opt->checkpoint, err));

cleanup:
    im_safetensors_clear(&file);
    return st;
}

imsat_status im_checkpoint_hold(im_safetensors *out, const im_runs *r, im_put_state *put,
                                const void *state, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    IM_TRY(put_history(&file, r, err));
    IM_TRY(im_record_count(&file, "at.state", 1, err));
    IM_TRY(put(&file, state, err));
    IM_TRY(im_safetensors_hold(&file, "the state of a training", err));
    im_safetensors_clear(out);
    *out = file;
    file = (im_safetensors){0};

cleanup:
    im_safetensors_clear(&file);
    return st;
}

/* ---- loading ------------------------------------------------------------------------------
 */

static imsat_status check_format(const im_safetensors *file, const char *path,
                                 imsat_error *err)
{
    const char *format = im_safetensors_value(file, "format");
    const char *version = im_safetensors_value(file, "version");
    if (!format || strncmp(format, FORMAT_NAME, sizeof FORMAT_NAME - 1) != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: is not a checkpoint (its format is %.40s); give the name of one, "
                       "or of a file that is not there yet",
                       path, format ? format : "not stated");
    if (strcmp(format, FORMAT) != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: has the format %.40s of imsat %.20s; this is imsat " IMSAT_VERSION
                       ", which reads " FORMAT ": finish the training with the program that "
                       "began it, or remove the file and begin anew",
                       path, format, version ? version : "(not stated)");
    return IMSAT_OK;
}

/* Is it of this data and these options? */
static imsat_status check_identity(const im_safetensors *file, const im_runs *r,
                                   const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors now = {0};
    IM_TRY(put_identity(&now, r, err));
    IM_TRY(im_record_same(&now, file, path, "option.", err));
    IM_TRY(im_record_same(&now, file, path, "data.", err));
    IM_TRY(im_record_same(&now, file, path, "version", err));

cleanup:
    im_safetensors_clear(&now);
    return st;
}

imsat_status im_checkpoint_open(im_safetensors *out, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    const char *path = r->given.opt->checkpoint;
    IM_TRY(im_fail_advise(im_safetensors_read(&file, path, err), err, IM_FIT_DAMAGED));
    IM_TRY(im_safetensors_hold(&file, path, err));
    IM_TRY(check_format(&file, path, err));
    IM_TRY(im_fail_advise(im_seal_check(&file, path, err), err, IM_FIT_DAMAGED));
    IM_TRY(check_identity(&file, r, path, err));
    *out = file;
    file = (im_safetensors){0};

cleanup:
    im_safetensors_clear(&file);
    return st;
}

bool im_checkpoint_has_state(const im_safetensors *file)
{
    const char *text = im_safetensors_value(file, "at.state");
    return text && strcmp(text, "1") == 0;
}

static imsat_status get_radius(float *radius, imsat_radius_info *info,
                               const im_safetensors *file, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = r->given.opt->checkpoint;
    const size_t rows = r->given.data->rows;
    imsat_radius_info found = {0};
    const im_tensor *tensor;
    uint64_t method, sample;
    IM_TRY(im_safetensors_get(&tensor, file, path, "radius", IM_TENSOR_F32, 1, &rows, err));
    IM_TRY(im_tensor_check(tensor, path, 0, (double)INFINITY, err));
    IM_TRY(im_record_get_within(&method, file, path, "radius.method", 0,
                                IMSAT_RADIUS_METHODS - 1, err));
    IM_TRY(im_record_get_within(&sample, file, path, "radius.sample", 0, rows, err));
    IM_TRY(im_record_get_finite(&found.error, file, path, "radius.error", -(double)INFINITY,
                                err));
    found.method = (imsat_radius_method)method;
    found.sample = (size_t)sample;
    memcpy(radius, tensor->data, rows * sizeof *radius);
    *info = found;

cleanup:
    return st;
}

imsat_status im_checkpoint_radius(float *radius, imsat_radius_info *info,
                                  const im_safetensors *file, const im_runs *r,
                                  imsat_error *err)
{
    return im_fail_advise(get_radius(radius, info, file, r, err), err, IM_FIT_DAMAGED);
}

/* Labels are counted by and codes compared as they are: labels in range, and no bits behind
 * the last one of a code. */
static imsat_status check_assigned(const im_tensor *found, const im_runs *r, const char *path,
                                   imsat_error *err)
{
    const size_t bytes = im_runs_code_bytes(r), bits = r->given.opt->bits;
    const uint8_t *codes = found->data, behind = (uint8_t)(0xff >> (bits % 8));
    if (r->labels)
        return im_tensor_check(found, path, 0, (double)(r->given.opt->k - 1), err);
    for (size_t i = 0; bits % 8 && i < r->done * r->given.data->rows; i++)
        if (codes[(i + 1) * bytes - 1] & behind)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of codes is %u, which has bits behind the last of "
                           "a code of %zu bits",
                           path, (i + 1) * bytes - 1, codes[(i + 1) * bytes - 1], bits);
    return IMSAT_OK;
}

/* Is it the encoder of these options? */
static imsat_status check_best(const im_runs *r, const char *path, imsat_error *err)
{
    const im_net *best = &r->best;
    const imsat_options *o = r->given.opt;
    const bool coded = r->given.method->uses & IM_USES_CODE;
    const size_t hidden = r->given.method->uses & IM_USES_HIDDEN ? o->hidden_count : 0;
    bool fits = best->dim == r->given.data->dim && best->outputs == im_fit_outputs(o) &&
                best->layers == hidden + coded + 1 &&
                (!coded || best->layer[hidden].out == o->code);
    for (size_t l = 0; fits && l < hidden; l++)
        fits = best->layer[l].out == o->hidden[l];
    if (fits)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: \"" BEST "net\" has another shape than data and options", path);
}

/* The best run is the first of those with the lowest objective, or their consensus. */
static imsat_status check_choice(const im_runs *r, const char *path, imsat_error *err)
{
    const size_t runs = r->given.opt->runs;
    size_t best = r->done > runs ? runs : 0;
    for (size_t i = 1; i < r->done && r->done <= runs; i++)
        if (r->run[i].about.objective < r->run[best].about.objective)
            best = i;
    if (best == r->best_run)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: \"at.best_run\" is %zu, but run %zu has the lowest objective", path,
                   r->best_run, best);
}

static imsat_status get_found(im_runs *r, const im_safetensors *file, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const assigned to = assigned_of(r);
    const im_tensor *tensor;
    for (size_t i = 0; i < r->done; i++)
        IM_TRY(get_run(r, i, file, path, err));
    IM_TRY(check_choice(r, path, err));
    IM_TRY(im_safetensors_get(&tensor, file, path, to.name, to.type, 1, &to.count, err));
    IM_TRY(check_assigned(tensor, r, path, err));
    memcpy(to.data, tensor->data, to.count * to.bytes);
    IM_TRY(im_encoder_load(&r->best, file, path, BEST, r->given.opt->task == IMSAT_TASK_HASH,
                           err));
    IM_TRY(check_best(r, path, err));

cleanup:
    return st;
}

/* What the runs have in common, if the method has it and it was made: the layers before the
 * code. */
static imsat_status get_shared(im_runs *r, const im_safetensors *file, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!(r->given.method->uses & IM_USES_CODE) ||
        !im_safetensors_value(file, SHARED "net.dim"))
        return IMSAT_OK;
    IM_TRY(im_encoder_load(&r->shared, file, path, SHARED, false, err));
    if (!im_start_fits(&r->shared, r->given.data->dim, r->given.opt))
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: \"" SHARED "net\" has another shape than data and options", path);

cleanup:
    return st;
}

static imsat_status get_runs(im_runs *r, const im_safetensors *file, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = r->given.opt->checkpoint;
    const uint64_t runs = im_runs_all(r);
    uint64_t done = 0, best = 0, state = 0;
    IM_TRY(im_record_get_within(&done, file, path, "at.run", 0, runs, err));
    IM_TRY(
        im_record_get_within(&best, file, path, "at.best_run", 0, done ? done - 1 : 0, err));
    IM_TRY(im_record_get_within(&state, file, path, "at.state", 0, done < runs, err));
    r->done = (size_t)done;
    r->best_run = (size_t)best;
    IM_TRY(get_shared(r, file, path, err));
    if (r->done > 0)
        IM_TRY(get_found(r, file, path, err));

cleanup:
    return st;
}

imsat_status im_checkpoint_load(im_runs *r, const im_safetensors *file, imsat_error *err)
{
    return im_fail_advise(get_runs(r, file, err), err, IM_FIT_DAMAGED);
}
