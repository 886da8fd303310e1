/* SPDX-License-Identifier: MIT
 *
 * One step of training: the page to read first.
 *
 *     clusters   minimize  R_SAT + lambda H(Y|X) + mu max(KL[p(y) || q(y)] - delta, 0)
 *     bits       minimize  R_SAT - lambda (sum_d I(X;Y_d) - sum_{d != e} I(Y_d;Y_e))
 *
 * (eq. 10 and 19, and eq. 14, of the paper; RIM has weight decay in place of R_SAT). It reads
 * as the objective is written, and allocates nothing. What differs between clusters and bits
 * is in the head: head_clusters.c, head_bits.c.
 */
#include "train/step.h"

#include "objective/decay.h"
#include "train/augmentation.h"
#include "train/inputs.h"

/* R_SAT: the prediction of T(x) is pulled to that of x, which is held constant. */
static imsat_status self_augmented(im_trainer *t, uint32_t step, im_terms *terms,
                                   const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t r = 1; r < t->tape.branches; r++) {
        const double weight = t->recipe->weight[t->branch_kind[r]];
        const im_rng rng = {t->seed, IM_STREAM_AUGMENT, step, 0};
        IM_TRY(im_augmentation_apply(t, r, IM_BN_BATCH, rng, stage, err));
        im_trainer_predict(t, r, IM_BN_BATCH);
        terms->term[IMSAT_TERM_SAT] += weight * t->head->sat_both(t, r, weight);
    }

cleanup:
    return st;
}

static imsat_status run(im_trainer *t, uint32_t step, im_adam *adam, im_terms *terms,
                        const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t running = t->net.nrunning * sizeof *t->net.running;
    memcpy(t->running_before, t->net.running, running);
    *terms = (im_terms){0};
    im_inputs_clean(t);
    im_trainer_predict(t, 0, IM_BN_TRAIN);
    t->head->information(t, terms);
    IM_TRY(self_augmented(t, step, terms, stage, err));
    terms->term[IMSAT_TERM_DECAY] = im_decay_loss(&t->net, t->opt->decay);
    terms->objective = t->head->objective(t, terms);
    im_tape_backward(&t->tape, &t->net, adam, t->opt->decay);

cleanup:
    if (st != IMSAT_OK)
        memcpy(t->net.running, t->running_before, running);
    return st;
}

imsat_status im_step_run(im_trainer *t, uint32_t step, im_terms *terms, const im_stage *stage,
                         imsat_error *err)
{
    return run(t, step, &t->adam, terms, stage, err);
}

imsat_status im_step_grad(im_trainer *t, uint32_t step, im_terms *terms, imsat_error *err)
{
    return run(t, step, NULL, terms, NULL, err);
}
