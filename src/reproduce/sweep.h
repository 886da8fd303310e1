/* SPDX-License-Identifier: MIT
 *
 * Appendix G: which value of an option does well on all data sets,
 *
 *     argmax over values b of  sum over data sets  ACC(b, set) / max over b' of ACC(b', set)
 *
 * and the figure: accuracy over values, a panel for each method, a line for each data set.
 */
#ifndef IM_REPRODUCE_SWEEP_H
#define IM_REPRODUCE_SWEEP_H

#include "reproduce/plan.h"

/* The mean accuracy (IM_PLAN_VALUES) of a method's cells on a data set, NAN where none is
 * done; false if there are no such cells in the plan. */
bool im_sweep_curve(double *curve, const im_plan *plan, const im_paper_row *row,
                    const char *dataset);

/* The criterion (IM_PLAN_VALUES) of a method, over the data sets on which all values were run;
 * returns how many these are. */
size_t im_sweep_criterion(double *criterion, const im_plan *plan, const im_paper_row *row);

/* Put the criterion of each method, what it chooses and what the paper chose. */
void im_sweep_table(im_strbuf *out, const im_plan *plan);

void im_sweep_figure(im_strbuf *out, const im_plan *plan);

#endif
