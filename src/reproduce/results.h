/* SPDX-License-Identifier: MIT
 *
 * The tables: for each cell of the paper its figure and ours, the mean over the trials that
 * were run, their deviation, how many there are, and how many of the paper's deviations lie
 * between. As text, Markdown, CSV and JSON.
 */
#ifndef IM_REPRODUCE_RESULTS_H
#define IM_REPRODUCE_RESULTS_H

#include "reproduce/plan.h"

/* A line of the table: a score of cells that differ in their seeds alone. */
typedef struct im_results_line {
    const im_entry *cell; /* the first of them */
    im_score score;
    im_paper_value paper;
    size_t trials;                 /* that were run */
    double mean, deviation, apart; /* NAN where there is none */
} im_results_line;

typedef struct im_results {
    im_results_line *line; /* (count) owned */
    size_t count;
} im_results;

imsat_status im_results_make(im_results *results, const im_plan *plan, imsat_error *err);
void im_results_clear(im_results *results);

/* Put a table into a text. */
void im_results_text(im_strbuf *out, const im_results *results);
void im_results_markdown(im_strbuf *out, const im_results *results);
void im_results_csv(im_strbuf *out, const im_results *results);
void im_results_json(im_strbuf *out, const im_results *results);

#endif
