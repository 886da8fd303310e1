/* SPDX-License-Identifier: MIT
 *
 * The objective over the whole data: what runs are compared by, without labels. The network
 * is in inference mode, so the value does not depend on how the rows are cut into batches.
 */
#ifndef IM_TRAIN_ASSESS_H
#define IM_TRAIN_ASSESS_H

#include "train/trainer.h"

/* The objective with its terms, and the label or code of every row. progress (may be NULL) is
 * called now and then with the share done; not 0 stops. */
imsat_status im_assess(im_trainer *trainer, im_terms *terms, im_assigned assigned,
                       int (*progress)(void *, double), void *user, imsat_error *err);

#endif
