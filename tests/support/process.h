/* SPDX-License-Identifier: MIT
 *
 * What a test can learn about its own process.
 */
#ifndef TESTS_PROCESS_H
#define TESTS_PROCESS_H

#include <stdbool.h>

/* How many threads it has now. */
int process_threads(void);

/* Fail unless it has `expected` threads, or soon has: one that was joined may still be on its
 * way out. */
void assert_threads(int expected);

/* May a test fork() after it has started threads? ThreadSanitizer does not follow that. */
bool can_fork(void);

#endif
