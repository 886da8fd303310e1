/* SPDX-License-Identifier: MIT
 *
 * One cell, trained and scored. A cell that is interrupted has a checkpoint, NAME.state, in
 * the folder, from which the next call goes on; and what belongs to it, if seeds race. A cell
 * that others start from leaves its model, NAME.safetensors.
 */
#ifndef IM_REPRODUCE_ATTEMPT_H
#define IM_REPRODUCE_ATTEMPT_H

#include "reproduce/entry.h"
#include "reproduce/source.h"

enum { IM_ATTEMPT_GRID = 120 }; /* places of a decision on a grid, in each direction */

#define IM_ATTEMPT_REACH 3.6 /* the grid goes from -reach to reach, in both directions */

imsat_status im_attempt_run(im_entry *cell, im_source *source,
                            const imsat_reproduce_options *options, imsat_error *err);

#endif
