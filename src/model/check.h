/* SPDX-License-Identifier: MIT
 *
 * From a caller's options to those that are worked with: taken over, checked against the data
 * before any work, and what was left open decided by the data.
 */
#ifndef IM_MODEL_CHECK_H
#define IM_MODEL_CHECK_H

#include "data/dataset.h"
#include "model/methods.h"

/* Options of the library's own size from a caller's; fields that the caller's program does not
 * know have their defaults. */
imsat_status im_check_adopt(imsat_options *own, const imsat_options *theirs, imsat_error *err);

/* out: options of the library's own size, checked as imsat_options_check() does, with
 * everything decided. mu alone stays open, when it is to climb. */
imsat_status im_check_resolve(imsat_options *out, const imsat_options *options,
                              const imsat_data *data, imsat_error *err);

/* Are the options in range that imsat_neighbor_radius() looks at? */
imsat_status im_check_radius(const imsat_options *options, imsat_error *err);

/* What was left open decided, without a check. */
imsat_options im_check_decide(const imsat_options *options, const imsat_data *data);

#endif
