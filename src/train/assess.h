/* SPDX-License-Identifier: MIT
 *
 * The objective over the whole data: what runs are compared by, without labels. The network
 * is in inference mode, so the value does not depend on how the rows are cut into batches.
 */
#ifndef IM_TRAIN_ASSESS_H
#define IM_TRAIN_ASSESS_H

#include "train/trainer.h"

/* The objective with its terms, and the label or code of every row. stage: may be NULL. */
imsat_status im_assess(im_trainer *trainer, im_terms *terms, im_assigned assigned,
                       const im_stage *stage, imsat_error *err);

#endif
