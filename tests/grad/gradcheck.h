/* SPDX-License-Identifier: MIT
 *
 * Signed central differences, for the double build. (f(x + h) - f(x - h)) / 2h is compared
 * with the derivative under test, sign and all.
 */
#ifndef TESTS_GRADCHECK_H
#define TESTS_GRADCHECK_H

#include "core/real.h"
#include "support.h"

typedef double (*scalar_fn)(void *context);

/* The central difference of f with respect to *x. */
double central_difference(scalar_fn f, void *context, im_real *x);

/* Fail unless every grad[i] is the central difference of f to x[i], within 1e-7 of the
 * larger of 1e-2 and the derivative. */
void assert_gradient(const char *what, scalar_fn f, void *context, im_real *x,
                     const im_real *grad, size_t n);

/* n numbers in (-1, 1), the same for the same seed. */
void fill_random(im_real *x, size_t n, uint64_t seed);

/* n rows of k positive numbers that sum to 1. */
void fill_simplex(im_real *p, size_t n, size_t k, uint64_t seed);

#endif
