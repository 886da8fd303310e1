/* SPDX-License-Identifier: MIT
 *
 * The cells of an experiment, as far as they are asked for, by data set, row of the table,
 * value and seed.
 */
#ifndef IM_REPRODUCE_PLAN_H
#define IM_REPRODUCE_PLAN_H

#include "reproduce/entry.h"

enum { IM_PLAN_VALUES = 8 }; /* of an option that is varied: first times 2^0 .. 2^7 */

typedef struct im_plan {
    im_entry *cell; /* (count) owned */
    size_t count;
} im_plan;

/* Refuses names of data sets and methods that the experiment has not. */
imsat_status im_plan_make(im_plan *plan, imsat_experiment experiment,
                          const imsat_reproduce_options *options, imsat_error *err);

/* The same rows, with the cells that the folder has, of any seeds; a row of which there is
 * none has one that is not done. The bundled digits are not asked for but by name. */
imsat_status im_plan_find(im_plan *plan, imsat_experiment experiment,
                          const imsat_reproduce_options *options, imsat_error *err);
void im_plan_clear(im_plan *plan);

/* Cells first .. end - 1 differ in their seeds alone; returns `end`. */
size_t im_plan_group(const im_plan *plan, size_t first);

/* The value at step i of an option that is varied. */
double im_plan_value(const char *option, size_t i);

#endif
