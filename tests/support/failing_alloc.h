/* SPDX-License-Identifier: MIT
 *
 * Allocations that fail on demand. Link a test with -Wl,--wrap=aligned_alloc and this file:
 * every block of im_alloc() is then counted here, and a chosen one is refused.
 */
#ifndef TESTS_FAILING_ALLOC_H
#define TESTS_FAILING_ALLOC_H

#include "imsat/imsat.h"

/* Count from 0 and refuse the k-th allocation from now on, the first being 1; 0: none. Only
 * that one fails: later ones succeed again. */
void failing_alloc_arm(size_t k);

/* Count from 0 and call `act` in the k-th allocation from now on: a moment in the middle of a
 * call that a test can choose. */
void failing_alloc_call(size_t k, void (*act)(void));

/* Allocations since the last arming, the refused one included. */
size_t failing_alloc_count(void);

/* Bytes of the largest of them, in a test of one thread. */
size_t failing_alloc_largest(void);

/* What is tested: everything from nothing to nothing, so that it can be repeated. It returns
 * what the function under test returned, and checks that outputs are untouched on failure. */
typedef imsat_status (*failing_attempt)(void *context, imsat_error *err);

/* Run the attempt with its 1st, 2nd, ... allocation refused until it needs no more. Each run
 * but the last must give IMSAT_ENOMEM and a message, and give back all it took, the last
 * IMSAT_OK; anything else fails the test. Beyond the first 64 a sanitizer takes every other
 * allocation, beyond 128 every third, and so on. Returns how many the attempt has. */
size_t fail_each(failing_attempt attempt, void *context);

#endif
