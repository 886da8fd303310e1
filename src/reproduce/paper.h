/* SPDX-License-Identifier: MIT
 *
 * What the paper reports, and by which methods of ours it is compared: the figures of its
 * tables 3 to 6, the values that appendix G chose, and the networks of appendix I.
 */
#ifndef IM_REPRODUCE_PAPER_H
#define IM_REPRODUCE_PAPER_H

#include "imsat/reproduce.h"

#include <stdbool.h>

/* What a cell is scored by. The paper's mAP is the area under straight lines. */
typedef enum im_score {
    IM_SCORE_ACC,
    IM_SCORE_MAP,       /* by the rule of ties trapezoid */
    IM_SCORE_MAP_BLOCK, /* equal distances as one rank; not in the paper */
    IM_SCORE_AT,        /* precision at 500 */
    IM_SCORE_WITHIN,    /* precision within 2 */
    IM_SCORES
} im_score;

typedef struct im_paper_value {
    double mean, deviation; /* in percent; NAN: the paper has none */
} im_paper_value;

enum { IM_PAPER_SETS = 8 };

/* A row of a table: a method with its network. */
typedef struct im_paper_row {
    imsat_experiment experiment;
    const char *method, *hidden; /* hidden NULL: that of the preset */
    const char *option;          /* of a sweep: what is varied */
    double chosen;               /* and what the paper chose */
    const char *start;           /* the method whose trained model this one starts from */
    bool once; /* its results do not depend on the seed, or take hours: one trial */
    double figure[2 * IM_PAPER_SETS]; /* mean, deviation (0: none) of each data set; of codes
                                         those of mnist and cifar10 by score */
} im_paper_row;

extern const im_paper_row im_paper_table[];
extern const size_t im_paper_count;

/* Data set i of an experiment's table, from 0; NULL past the last. */
const char *im_paper_set(imsat_experiment experiment, size_t i);

/* The row whose model a row starts from, or NULL; and whether there is a row that starts from
 * this one. */
const im_paper_row *im_paper_start(const im_paper_row *row);
bool im_paper_is_start(const im_paper_row *row);

/* What the paper has for a row, a data set and a score. */
im_paper_value im_paper_figure(const im_paper_row *row, const char *dataset, im_score score);

/* "ACC", "mAP"; and the name in files, "acc". */
const char *im_paper_score(im_score score);
const char *im_paper_score_key(im_score score);

/* Whether cells of the experiment have the score. */
bool im_paper_scores(imsat_experiment experiment, im_score score);

#endif
