/* SPDX-License-Identifier: MIT
 * What every pass over a branch does; shared by the step and the full-data objective. */
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
    im_tape_forward(&t->tape, &t->net, branch, mode);
    im_head_predict(t, branch);
}
