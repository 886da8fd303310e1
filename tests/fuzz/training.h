/* SPDX-License-Identifier: MIT
 * A training of microseconds, for the targets of models and checkpoints. */
#ifndef TESTS_FUZZ_TRAINING_H
#define TESTS_FUZZ_TRAINING_H

#include "fuzz.h"

enum { TRAINING_ROWS = 14, TRAINING_DIM = 3, TRAINING_CASES = 3 };

/* Rows around two centers; valid until the program ends. */
const imsat_data *training_data(void);

/* Options of a case: 0 clusters by a network with a hidden layer, 1 hash codes, 2 k-means. Two
 * runs of one epoch of two steps. */
imsat_options training_options(size_t which);

/* Train by what the options are for, require that what is found is in range, and save the
 * model. */
imsat_status training_run(const imsat_options *options, const char *path, imsat_error *err);

/* Require that the model predicts what it promises: labels in range, or bits with nothing
 * behind the last; probabilities from 0 to 1. False if it refuses rows that are too large for
 * it. */
bool training_predicts(const imsat_model *model);

#endif
