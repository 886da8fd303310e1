/* SPDX-License-Identifier: MIT
 *
 * The objective over the whole data: what runs are compared by, without labels. The network
 * is in inference mode, so the value does not depend on how the rows are cut into batches.
 */
#include "train/trainer.h"

#include "objective/decay.h"

/* Add this batch's share of the sums. */
static imsat_status add_batch(im_trainer *t, im_head_totals *totals, double *sat,
                              im_assigned assigned, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_inputs_clean(t);
    im_branch_predict(t, 0, IM_BN_INFER);
    im_head_totals_add(totals, t);
    im_head_assign(assigned, t);
    for (size_t r = 1; r < t->tape.branches; r++) {
        const double weight = im_methods[t->opt->method].weight[t->branch_kind[r]];
        const im_rng rng = {t->seed, IM_STREAM_ASSESS, 0, 0};
        IM_TRY(im_branch_augment(t, r, IM_BN_INFER, rng, err));
        im_branch_predict(t, r, IM_BN_INFER);
        *sat += weight * (double)t->n * im_head_sat(t, r);
    }

cleanup:
    return st;
}

imsat_status im_assess(im_trainer *t, im_terms *terms, im_assigned assigned,
                       int (*progress)(void *, double), void *user, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = t->data->rows;
    im_terms sums = {0};
    im_head_totals totals;
    IM_TRY(im_head_totals_new(&totals, t, err));
    for (size_t first = 0; first < rows; first += t->n) {
        t->n = rows - first < t->opt->batch ? rows - first : t->opt->batch;
        for (size_t i = 0; i < t->n; i++)
            t->rows[i] = first + i;
        IM_TRY(add_batch(t, &totals, &sums.sat, assigned, err));
        if (progress && progress(user, (double)(first + t->n) / (double)rows)) {
            st = im_fail(err, IMSAT_ESTOPPED, "stopped while assessing the run");
            goto cleanup;
        }
    }
    im_head_totals_terms(&totals, &sums, t);
    sums.sat /= (double)rows;
    sums.decay = t->opt->decay > 0 ? im_decay_loss(&t->net, t->opt->decay) : 0;
    sums.objective = im_objective(t, &sums);
    *terms = sums;

cleanup:
    im_head_totals_clear(&totals);
    return st;
}
