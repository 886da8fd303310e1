/* SPDX-License-Identifier: MIT
 * What every pass over a branch does; shared by the step and the full-data objective. */
#include "nn/softmax.h"
#include "train/trainer.h"

imsat_status im_branch_augment(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                               imsat_error *err)
{
    rng.branch = (uint32_t)branch;
    switch (t->branch_kind[branch]) {
    case IM_AUG_VAT: im_vat_perturb(t, branch, mode, rng); return IMSAT_OK;
    case IM_AUG_RPT: im_rpt_perturb(t, branch, rng); return IMSAT_OK;
    default: return im_inputs_augment(t, branch, rng, err);
    }
}

void im_branch_predict(im_trainer *t, size_t branch, im_bn_mode mode)
{
    const im_real *z = im_tape_branch(&t->tape, t->tape.xhat[t->net.layers - 1], branch);
    im_tape_forward(&t->tape, &t->net, branch, mode);
    im_softmax_forward(t->p[branch], z, t->tape.ld, t->n, t->opt->k);
}
