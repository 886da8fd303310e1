/* SPDX-License-Identifier: MIT
 *
 * The caller's thread in a call that trains or measures the radius: subnormal numbers are
 * flushed (core/flush.h) while we compute, and not while a function of the caller runs, which
 * finds the mode that the caller had. And the work stops early if the data is lost while it is
 * read (core/map.h): what would come of it is not to be handed over.
 */
#ifndef IM_MODEL_GUARD_H
#define IM_MODEL_GUARD_H

#include "core/flush.h"
#include "data/dataset.h"

typedef struct im_guard {
    imsat_options *options; /* in use; NULL: not entered */
    const imsat_data *data;
    im_flush before; /* the caller's mode */
    imsat_progress_fn progress;
    imsat_augment_fn augment;
    void *progress_user, *augment_user; /* these four: of the caller, or NULL */
} im_guard;

/* Begin to flush, and put functions of ours around those in `options`, which must stay where
 * they are until im_guard_leave(). There is a function of progress afterwards in any case. */
void im_guard_enter(im_guard *guard, imsat_options *options, const imsat_data *data);

/* Back to the caller's mode, and the caller's functions in the options. Does nothing unless it
 * was entered. */
void im_guard_leave(im_guard *guard);

#endif
