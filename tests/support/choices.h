/* SPDX-License-Identifier: MIT
 * Portions of rows for tests of the choice of methods. */
#ifndef TESTS_CHOICES_H
#define TESTS_CHOICES_H

#include "choice/portion.h"

/* All n rows of x (n,d), not prepared in any way, in random order. x must stay. */
im_portion choices_portion(const float *x, size_t n, size_t d, im_pool *pool);

/* Options for it: seed 1, one thread, no preprocessing. */
imsat_options choices_options(size_t k);

/* `blobs` normal blobs of deviation 1 in d dimensions, row i of blob i % blobs; their centers
 * are `apart` or more from each other along the first axis. x (n,d). */
void choices_blobs(float *x, size_t n, size_t d, size_t blobs, double apart, uint64_t seed);

#endif
