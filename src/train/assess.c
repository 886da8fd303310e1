/* SPDX-License-Identifier: MIT
 *
 * The objective over the whole data: what runs are compared by, without labels. The network
 * is in inference mode, so the value does not depend on how the rows are cut into batches.
 */
#include "train/trainer.h"

#include "core/alloc.h"
#include "nn/softmax.h"
#include "objective/decay.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"

/* Add this batch's share of the sums; the caller divides by the number of rows. */
static imsat_status add_batch(im_trainer *t, im_terms *sums, double *marginal, int32_t *labels,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = t->n, k = t->opt->k;
    im_inputs_clean(t);
    im_branch_predict(t, 0, IM_BN_INFER);
    sums->cond_entropy += (double)n * im_cond_entropy_loss(t->p[0], n, k);
    im_marginal(t->marginal, t->p[0], n, k);
    for (size_t j = 0; j < k; j++)
        marginal[j] += (double)n * t->marginal[j];
    for (size_t i = 0; labels && i < n; i++)
        labels[t->rows[i]] = im_softmax_label(t->p[0] + i * k, k);
    for (size_t r = 1; r < t->tape.branches; r++) {
        const double weight = im_methods[t->opt->method].weight[t->branch_kind[r]];
        const im_rng rng = {t->seed, IM_STREAM_ASSESS, 0, 0};
        IM_TRY(im_branch_augment(t, r, IM_BN_INFER, rng, err));
        im_branch_predict(t, r, IM_BN_INFER);
        sums->sat += weight * (double)n * im_sat_loss(t->p[0], t->p[r], n, k);
    }

cleanup:
    return st;
}

imsat_status im_assess(im_trainer *t, im_terms *terms, int32_t *labels,
                       int (*progress)(void *, double), void *user, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = t->data->rows, k = t->opt->k;
    im_terms sums = {0};
    double *marginal = im_alloc(k, sizeof *marginal);
    if (!marginal)
        return im_fail_memory(err, "the marginal");
    for (size_t first = 0; first < rows; first += t->n) {
        t->n = rows - first < t->opt->batch ? rows - first : t->opt->batch;
        for (size_t i = 0; i < t->n; i++)
            t->rows[i] = first + i;
        IM_TRY(add_batch(t, &sums, marginal, labels, err));
        if (progress && progress(user, (double)(first + t->n) / (double)rows)) {
            st = im_fail(err, IMSAT_ESTOPPED, "stopped while assessing the run");
            goto cleanup;
        }
    }
    for (size_t j = 0; j < k; j++)
        marginal[j] /= (double)rows;
    sums.cond_entropy /= (double)rows;
    sums.sat /= (double)rows;
    sums.marg_entropy = im_marg_entropy(marginal, k);
    sums.marginal_kl = im_prior_kl_loss(marginal, t->prior, k);
    sums.decay = t->opt->decay > 0 ? im_decay_loss(&t->net, t->opt->decay) : 0;
    sums.objective = im_objective(t, &sums);
    *terms = sums;

cleanup:
    im_free(marginal);
    return st;
}
