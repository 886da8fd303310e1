/* SPDX-License-Identifier: MIT
 *
 * What the methods share that train no network by epochs but look at all rows at once: their
 * frame, their progress, what becomes of a stop, and the linear layer that most of them leave.
 */
#ifndef IM_BASELINE_WHOLE_H
#define IM_BASELINE_WHOLE_H

#include "core/stage.h"
#include "linear/frame.h"
#include "train/method.h"

/* The stage of a run; work completes "stopped while ...". */
im_stage im_whole_stage(im_fit *fit, const char *work);

/* The frame of the prepared rows, with a copy of them where there is memory for it. */
imsat_status im_whole_frame(im_frame *out, const im_fit *fit, const im_stage *stage,
                            imsat_error *err);

/* How a run ended: of a stop, the checkpoint is saved and the message says how to go on. */
imsat_status im_whole_end(im_fit *fit, imsat_status st, imsat_error *err);

/* The net of one linear layer over prepared rows: z = w . (x - p) + shift for `units`
 * directions w (units,d). point (d) is p as a scaled row; shift (units) may be NULL: 0.
 * Refuses what is beyond the range of float. */
imsat_status im_whole_layer(im_fit *fit, const im_frame *frame, const double *w,
                            const double *point, const double *shift, size_t units,
                            imsat_error *err);

#endif
