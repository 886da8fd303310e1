/* SPDX-License-Identifier: MIT
 *
 * The one table of methods. Help, completions, the parser, the checks and model/ read it; to
 * add a method is to write its `fit` (train/method.h) and a row here.
 */
#ifndef IM_MODEL_METHODS_H
#define IM_MODEL_METHODS_H

#include "train/method.h"

/* The row of that name, or NULL. */
const im_method *im_methods_find(const char *name);

/* Does the option change anything for a method and a task? */
bool im_methods_use(const im_method *method, imsat_task task, const im_option *option);

#endif
