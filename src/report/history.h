/* SPDX-License-Identifier: MIT
 *
 * What is kept of a training: of each of the first IM_HISTORY_RUNS runs at most
 * IM_HISTORY_POINTS epochs, evenly spread. When a run has that many, every second one goes,
 * and from then on only every second epoch is taken.
 */
#ifndef IM_REPORT_HISTORY_H
#define IM_REPORT_HISTORY_H

#include "imsat/report.h"

enum {
    IM_HISTORY_RUNS = 20,
    IM_HISTORY_POINTS = 128,            /* even */
    IM_HISTORY_OBJECTIVE = IMSAT_TERMS, /* the place of the objective among values */
    IM_HISTORY_VALUES = IM_HISTORY_OBJECTIVE + 1
};

typedef struct im_history_run {
    size_t count, every;             /* points; epochs from one to the next */
    double epoch[IM_HISTORY_POINTS]; /* from 1 */
    double value[IM_HISTORY_VALUES][IM_HISTORY_POINTS]; /* the terms, and the objective */
} im_history_run;

struct imsat_history {
    size_t runs; /* that were told of, at most IM_HISTORY_RUNS */
    im_history_run run[IM_HISTORY_RUNS];
};

#endif
