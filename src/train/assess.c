/* SPDX-License-Identifier: MIT
 * See assess.h. */
#include "train/assess.h"

#include "objective/decay.h"
#include "train/augmentation.h"
#include "train/diverge.h"
#include "train/inputs.h"

/* Add this batch's share of the sums. */
static imsat_status add_batch(im_trainer *t, im_head_totals *totals, double *sat,
                              im_assigned assigned, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_inputs_clean(t);
    im_trainer_predict(t, 0, IM_BN_INFER);
    IM_TRY(im_diverge_check_rows(t, err));
    t->head->totals_add(totals, t);
    t->head->assign(assigned, t);
    for (size_t r = 1; r < t->tape.branches; r++) {
        const double weight = t->recipe->weight[t->branch_kind[r]];
        const im_rng rng = {t->seed, IM_STREAM_ASSESS, 0, 0};
        IM_TRY(im_augmentation_apply(t, r, IM_BN_INFER, rng, stage, err));
        im_trainer_predict(t, r, IM_BN_INFER);
        *sat += weight * (double)t->batch.n * t->head->sat(t, r);
    }

cleanup:
    return st;
}

imsat_status im_assess(im_trainer *t, im_terms *terms, im_assigned assigned,
                       const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = t->data->rows;
    im_terms sums = {0};
    double sat = 0;
    im_head_totals totals = {0};
    IM_TRY(t->head->totals_open(&totals, t, err));
    for (size_t first = 0; first < rows; first += t->batch.n) {
        im_batch_take(&t->batch, first);
        const im_stage part = im_stage_part(stage, (double)first / (double)rows,
                                            (double)(first + t->batch.n) / (double)rows);
        IM_TRY(add_batch(t, &totals, &sat, assigned, &part, err));
        IM_TRY(im_stage_report(&part, 1, err));
    }
    t->head->totals_terms(&totals, &sums, t);
    sums.term[IMSAT_TERM_SAT] = sat / (double)rows;
    sums.term[IMSAT_TERM_DECAY] = im_decay_loss(&t->net, t->opt->decay);
    sums.objective = t->head->objective(t, &sums);
    *terms = sums;

cleanup:
    im_head_totals_clear(&totals);
    return st;
}
