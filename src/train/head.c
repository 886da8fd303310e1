/* SPDX-License-Identifier: MIT
 * What both heads use; see head.h. */
#include "train/head.h"

#include "train/trainer.h"

void im_head_totals_clear(im_head_totals *totals)
{
    im_bit_totals_clear(&totals->bits);
    im_free(totals->marginal);
    *totals = (im_head_totals){0};
}

im_real *im_head_dz(const im_trainer *t, size_t branch)
{
    return im_tape_branch(&t->tape, t->tape.dz[t->net.layers - 1], branch);
}

const im_real *im_head_logits(const im_trainer *t, size_t branch)
{
    return im_tape_branch(&t->tape, t->tape.xhat[t->net.layers - 1], branch);
}
