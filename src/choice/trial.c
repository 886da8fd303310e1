/* SPDX-License-Identifier: MIT
 * See trial.h. */
#include "choice/trial.h"

#include "choice/measure.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/partition.h"

#include <math.h>

void im_trial_clear(im_trial *trial)
{
    imsat_result_free(trial->result);
    imsat_model_free(trial->model);
    *trial = (im_trial){0};
}

/* Called by every run. */
static int watch(void *user, const imsat_progress *progress)
{
    im_trials *t = user;
    const imsat_progress p = {.stage = "compare", .fraction = t->share, .runs = 1};
    (void)progress;
    t->late = t->late || im_clock() - t->started > t->budget;
    return t->late || (t->opt->progress && t->opt->progress(t->opt->progress_user, &p));
}

imsat_status im_trial_tell(im_trials *trials, double share, imsat_error *err)
{
    trials->share = share;
    return watch(trials, NULL)
               ? im_fail(err, IMSAT_ESTOPPED, "stopped while comparing methods")
               : IMSAT_OK;
}

imsat_status im_trial_fit(im_trial *out, im_trials *trials, const imsat_data *rows,
                          const char *method, size_t k, size_t runs, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_trial made = {0};
    imsat_options o;
    imsat_options_init(&o, method, trials->opt->preset);
    o.k = k;
    o.seed = trials->opt->seed;
    o.runs = runs;
    o.threads = trials->opt->threads;
    o.reference_kernels = trials->opt->reference_kernels;
    o.scale = 1;
    o.shift = 0;
    o.standardize = o.unit_norm = o.center = 0; /* they are prepared */
    o.progress = watch;
    o.progress_user = trials;
    IM_TRY(im_trial_tell(trials, trials->share, err));
    IM_TRY(imsat_cluster(&made.model, rows, &o, &made.result, err));
    made.labels = made.result->labels + made.result->best * made.result->rows;
    *out = made;
    made = (im_trial){0};

cleanup:
    im_trial_clear(&made);
    return st;
}

imsat_status im_trial_information(double *share, im_trials *trials, const im_sample *sample,
                                  const char *method, size_t k, imsat_error *err)
{
    im_trial trial = {0};
    double nats;
    imsat_status st = im_trial_fit(&trial, trials, sample->data, method, k, 1, err);
    if (st == IMSAT_EINVAL) {
        *share = NAN;
        return IMSAT_OK;
    }
    if (st == IMSAT_OK)
        st = im_measure_information(share, &nats, &sample->graph, trial.labels, k, err);
    im_trial_clear(&trial);
    return st;
}

/* ---- halves ------------------------------------------------------------------------------
 */

typedef struct halves {
    size_t first[2], count[2];
    imsat_data *data[2];
    im_trial trial[2];
    int32_t *predicted; /* (rows of the larger) */
} halves;

static void clear(halves *h)
{
    for (size_t i = 0; i < 2; i++) {
        im_trial_clear(&h->trial[i]);
        imsat_data_free(h->data[i]);
    }
    im_free(h->predicted);
}

static imsat_status fit_halves(halves *h, im_trials *trials, const im_sample *sample,
                               const char *method, size_t k, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    h->count[0] = h->first[1] = sample->n / 2;
    h->count[1] = sample->n - h->count[0];
    h->predicted = im_alloc(h->count[1], sizeof *h->predicted);
    if (!h->predicted)
        return im_fail_memory(err, "labels of half of the rows");
    for (size_t i = 0; i < 2; i++) {
        IM_TRY(im_sample_part(&h->data[i], sample, h->first[i], h->count[i], err));
        IM_TRY(im_trial_fit(&h->trial[i], trials, h->data[i], method, k, 1, err));
    }

cleanup:
    return st;
}

/* Add what half i says: its own labels, and those that the other half has for it. */
static imsat_status judge_half(double *strength, double *rows, halves *h, size_t i,
                               const im_trials *trials, size_t k, const int32_t *whole,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const int32_t *own = h->trial[i].labels;
    double one = 0, ari = 0;
    IM_TRY(imsat_predict(h->trial[!i].model, h->data[i], h->predicted, NULL,
                         im_pool_threads(trials->pool), err));
    IM_TRY(im_measure_strength(&one, own, h->predicted, h->count[i], k, err));
    if (whole)
        IM_TRY(im_partition_ari(&ari, own, whole + h->first[i], h->count[i], err));
    *strength += one / 2;
    *rows += ari / 2;

cleanup:
    return st;
}

imsat_status im_trial_halves(double *strength, double *rows, im_trials *trials,
                             const im_sample *sample, const char *method, size_t k,
                             const int32_t *whole, imsat_error *err)
{
    halves h = {0};
    double both[2] = {0, 0};
    imsat_status st = fit_halves(&h, trials, sample, method, k, err);
    for (size_t i = 0; st == IMSAT_OK && i < 2; i++)
        st = judge_half(&both[0], &both[1], &h, i, trials, k, whole, err);
    if (st == IMSAT_EINVAL) {
        both[0] = both[1] = NAN;
        st = IMSAT_OK;
    }
    if (st == IMSAT_OK) {
        *strength = both[0];
        if (whole)
            *rows = both[1];
    }
    clear(&h);
    return st;
}
