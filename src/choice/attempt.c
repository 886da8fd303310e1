/* SPDX-License-Identifier: MIT
 * See attempt.h. */
#include "choice/attempt.h"

#include "choice/measure.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/partition.h"

#include <math.h>

void im_attempt_clear(im_attempt *attempt)
{
    imsat_result_free(attempt->result);
    imsat_model_free(attempt->model);
    *attempt = (im_attempt){0};
}

/* Called by every run. */
static int watch(void *user, const imsat_progress *progress)
{
    im_attempts *t = user;
    const imsat_progress p = {.stage = "compare", .fraction = t->share, .runs = 1};
    (void)progress;
    t->late = t->late || im_clock() - t->started > t->budget;
    return t->late || (t->opt->progress && t->opt->progress(t->opt->progress_user, &p));
}

imsat_status im_attempt_tell(im_attempts *attempts, double share, imsat_error *err)
{
    attempts->share = share;
    return watch(attempts, NULL)
               ? im_fail(err, IMSAT_ESTOPPED, "stopped while comparing methods")
               : IMSAT_OK;
}

imsat_status im_attempt_fit(im_attempt *out, im_attempts *attempts, const imsat_data *rows,
                            const char *method, size_t k, size_t runs, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_attempt made = {0};
    imsat_options o;
    imsat_options_init(&o, method, attempts->opt->preset);
    o.k = k;
    o.seed = attempts->opt->seed;
    o.runs = runs;
    o.threads = attempts->opt->threads;
    o.reference_kernels = attempts->opt->reference_kernels;
    o.scale = 1;
    o.shift = 0;
    o.standardize = o.unit_norm = o.center = 0; /* they are prepared */
    o.progress = watch;
    o.progress_user = attempts;
    IM_TRY(im_attempt_tell(attempts, attempts->share, err));
    IM_TRY(imsat_cluster(&made.model, rows, &o, &made.result, err));
    made.labels = made.result->labels + made.result->best * made.result->rows;
    *out = made;
    made = (im_attempt){0};

cleanup:
    im_attempt_clear(&made);
    return st;
}

imsat_status im_attempt_information(double *share, im_attempts *attempts,
                                    const im_portion *portion, const char *method, size_t k,
                                    imsat_error *err)
{
    im_attempt attempt = {0};
    double nats;
    imsat_status st = im_attempt_fit(&attempt, attempts, portion->data, method, k, 1, err);
    if (st == IMSAT_EINVAL) {
        *share = NAN;
        return IMSAT_OK;
    }
    if (st == IMSAT_OK)
        st = im_measure_information(share, &nats, &portion->graph, attempt.labels, k, err);
    im_attempt_clear(&attempt);
    return st;
}

/* ---- halves ------------------------------------------------------------------------------
 */

typedef struct halves {
    size_t first[2], count[2];
    imsat_data *data[2];
    im_attempt attempt[2];
    int32_t *predicted; /* (rows of the larger) */
} halves;

static void clear(halves *h)
{
    for (size_t i = 0; i < 2; i++) {
        im_attempt_clear(&h->attempt[i]);
        imsat_data_free(h->data[i]);
    }
    im_free(h->predicted);
}

static imsat_status fit_halves(halves *h, im_attempts *attempts, const im_portion *portion,
                               const char *method, size_t k, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    h->count[0] = h->first[1] = portion->n / 2;
    h->count[1] = portion->n - h->count[0];
    h->predicted = im_alloc(h->count[1], sizeof *h->predicted);
    if (!h->predicted)
        return im_fail_memory(err, "labels of half of the rows");
    for (size_t i = 0; i < 2; i++) {
        IM_TRY(im_portion_part(&h->data[i], portion, h->first[i], h->count[i], err));
        IM_TRY(im_attempt_fit(&h->attempt[i], attempts, h->data[i], method, k, 1, err));
    }

cleanup:
    return st;
}

/* Add what half i says: its own labels, and those that the other half has for it. */
static imsat_status judge_half(double *strength, double *rows, halves *h, size_t i,
                               const im_attempts *attempts, size_t k, const int32_t *whole,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const int32_t *own = h->attempt[i].labels;
    double one = 0, ari = 0;
    IM_TRY(imsat_predict(h->attempt[!i].model, h->data[i], h->predicted, NULL,
                         im_pool_threads(attempts->pool), err));
    IM_TRY(im_measure_strength(&one, own, h->predicted, h->count[i], k, err));
    if (whole)
        IM_TRY(im_partition_ari(&ari, own, whole + h->first[i], h->count[i], err));
    *strength += one / 2;
    *rows += ari / 2;

cleanup:
    return st;
}

imsat_status im_attempt_halves(double *strength, double *rows, im_attempts *attempts,
                               const im_portion *portion, const char *method, size_t k,
                               const int32_t *whole, imsat_error *err)
{
    halves h = {0};
    double both[2] = {0, 0};
    imsat_status st = fit_halves(&h, attempts, portion, method, k, err);
    for (size_t i = 0; st == IMSAT_OK && i < 2; i++)
        st = judge_half(&both[0], &both[1], &h, i, attempts, k, whole, err);
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
