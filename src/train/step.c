/* SPDX-License-Identifier: MIT
 *
 * One step of training: the page to read first.
 *
 *     minimize  R_SAT + lambda H(Y|X) + mu max(KL[p(y) || q(y)] - delta, 0)
 *
 * (eq. 10 and 19 of the paper; RIM has weight decay in place of R_SAT). It reads from top to
 * bottom as the objective is written, and allocates nothing.
 */
#include "train/trainer.h"

#include "nn/softmax.h"
#include "objective/decay.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"

#include <string.h>

double im_objective(const im_trainer *t, const im_terms *terms)
{
    const double excess = terms->marginal_kl - t->opt->delta;
    return terms->sat + terms->decay + t->opt->lambda * terms->cond_entropy +
           t->mu * (excess > 0 ? excess : 0);
}

/* Hand dp, the gradient of a branch's prediction, to the network. */
static void return_gradient(im_trainer *t, size_t branch)
{
    im_real *dz = im_tape_branch(&t->tape, t->tape.dz[t->net.layers - 1], branch);
    im_softmax_backward(dz, t->tape.ld, t->dp, t->p[branch], t->n, t->opt->k);
}

/* lambda H(Y|X) + mu max(KL - delta, 0), on the clean batch. */
static void information(im_trainer *t, im_terms *terms)
{
    const size_t n = t->n, k = t->opt->k;
    const im_real *p = t->p[0];
    terms->cond_entropy = im_cond_entropy_loss(p, n, k);
    im_marginal(t->marginal, p, n, k);
    terms->marg_entropy = im_marg_entropy(t->marginal, k);
    terms->marginal_kl = im_prior_kl_loss(t->marginal, t->prior, k);

    memset(t->dp, 0, n * k * sizeof *t->dp);
    im_cond_entropy_grad(t->dp, p, t->opt->lambda, n, k);
    if (terms->marginal_kl > t->opt->delta)
        im_prior_kl_grad(t->dp, t->marginal, t->prior, t->mu, n, k);
    return_gradient(t, 0);
}

/* R_SAT: the prediction of T(x) is pulled to that of x, which is held constant. */
static imsat_status self_augmented(im_trainer *t, uint32_t step, im_terms *terms,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = t->n, k = t->opt->k;
    terms->sat = 0;
    for (size_t r = 1; r < t->tape.branches; r++) {
        const double weight = im_methods[t->opt->method].weight[t->branch_kind[r]];
        const im_rng rng = {t->seed, IM_STREAM_AUGMENT, step, 0};
        IM_TRY(im_branch_augment(t, r, IM_BN_BATCH, rng, err));
        im_branch_predict(t, r, IM_BN_BATCH);
        terms->sat += weight * im_sat_loss(t->p[0], t->p[r], n, k);
        im_sat_grad(t->dp, t->p[0], t->p[r], weight, n, k);
        return_gradient(t, r);
    }

cleanup:
    return st;
}

static imsat_status run(im_trainer *t, uint32_t step, im_adam *adam, im_terms *terms,
                        imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_inputs_clean(t);
    im_branch_predict(t, 0, IM_BN_TRAIN);
    information(t, terms);
    IM_TRY(self_augmented(t, step, terms, err));
    terms->decay = t->opt->decay > 0 ? im_decay_loss(&t->net, t->opt->decay) : 0;
    terms->objective = im_objective(t, terms);
    im_tape_backward(&t->tape, &t->net, adam, t->opt->decay);

cleanup:
    return st;
}

imsat_status im_step_run(im_trainer *t, uint32_t step, im_terms *terms, imsat_error *err)
{
    return run(t, step, &t->adam, terms, err);
}

imsat_status im_step_grad(im_trainer *t, uint32_t step, im_terms *terms, imsat_error *err)
{
    return run(t, step, NULL, terms, err);
}
