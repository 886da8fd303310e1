/* SPDX-License-Identifier: MIT
 *
 * sigma_t of all rows, exact, by way of their sketches (sketch.h), for a fraction of the
 * products where the data allows it:
 *
 *     candidates  of each row the rows whose sketches are nearest
 *     settle      their distances in double; the t-th is sigma_t if no other row's sketch is
 *                 nearer than that
 *     widen       the rows where one is: all rows whose sketch is near enough, settled again
 *     rescan      what is then still open (too many of them), against all rows, in double
 *
 * Some rows are tried first: on data that varies alike in all directions sketches say nothing,
 * and the shortcut is not taken.
 */
#ifndef IM_NEIGHBORS_SHORTCUT_H
#define IM_NEIGHBORS_SHORTCUT_H

#include "core/stage.h"
#include "linear/frame.h"

/* sigma (n) and *taken = true, or *taken = false if it would not pay. */
imsat_status im_shortcut_radius(double *sigma, bool *taken, const im_frame *frame, size_t t,
                                im_pool *pool, const im_stage *stage, imsat_error *err);

#endif
