/* SPDX-License-Identifier: MIT
 * See augmentation.h. */
#include "train/augmentation.h"

#include "train/inputs.h"
#include "train/vat.h"

static imsat_status apply_vat(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                              const im_stage *stage, imsat_error *err)
{
    return im_vat_perturb(t, branch, mode, rng, stage, err);
}

static imsat_status apply_rpt(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                              const im_stage *stage, imsat_error *err)
{
    (void)err;
    (void)stage;
    (void)mode;
    im_vat_perturb_random(t, branch, rng);
    return IMSAT_OK;
}

static imsat_status apply_affine(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                                 const im_stage *stage, imsat_error *err)
{
    (void)err;
    (void)stage;
    (void)mode;
    im_inputs_affine(t, branch, rng);
    return IMSAT_OK;
}

static imsat_status apply_own(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                              const im_stage *stage, imsat_error *err)
{
    (void)stage;
    (void)mode;
    return im_inputs_own(t, branch, rng, err);
}

static imsat_status (*const apply[IM_AUGMENTS])(im_trainer *, size_t, im_bn_mode, im_rng,
                                                const im_stage *, imsat_error *) = {
    [IM_AUG_VAT] = apply_vat,
    [IM_AUG_RPT] = apply_rpt,
    [IM_AUG_AFFINE] = apply_affine,
    [IM_AUG_OWN] = apply_own,
};

imsat_status im_augmentation_apply(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                                   const im_stage *stage, imsat_error *err)
{
    rng.branch = (uint32_t)branch;
    return apply[t->branch_kind[branch]](t, branch, mode, rng, stage, err);
}
