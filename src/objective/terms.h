/* SPDX-License-Identifier: MIT
 *
 * The terms of the objective, said once: the log, progress, JSON, checkpoints, the record of a
 * model and the documentation read this table. To add a term is to give it a constant in
 * imsat_term, a row in terms.c, and its value in a head (train/head_*.c).
 */
#ifndef IM_OBJECTIVE_TERMS_H
#define IM_OBJECTIVE_TERMS_H

#include "imsat/imsat.h"

#include <stdbool.h>

/* The objective and its terms, of a batch or of all data. A term that a task does not have
 * is 0. */
typedef struct im_terms {
    double objective;
    double term[IMSAT_TERMS];
    bool teaching; /* of a batch: labels take the place of the information terms, */
    double taught; /* by their cross-entropy; neither is added up */
} im_terms;

/* Whether the objective of a task has the term. */
bool im_terms_serve(imsat_term term, imsat_task task);

/* Whether the record of a model keeps the term: the task has it, and it does not follow from
 * the weights and options that the model holds anyway, as weight decay does. */
bool im_terms_recorded(imsat_term term, imsat_task task);

/* sums += terms */
void im_terms_add(im_terms *sums, const im_terms *terms);

/* terms *= factor */
void im_terms_scale(im_terms *terms, double factor);

#endif
