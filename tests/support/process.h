/* SPDX-License-Identifier: MIT
 *
 * What a test can learn about its own process, and processes of its own.
 */
#ifndef TESTS_PROCESS_H
#define TESTS_PROCESS_H

#include <stdbool.h>

/* How many threads it has now. */
int process_threads(void);

/* Fail unless it has `expected` threads, or soon has: one that was joined may still be on its
 * way out. */
void assert_threads(int expected);

/* The most memory that it has had, in MiB. */
long process_peak(void);

/* Run a function in a child. Returns what it returns, or minus the signal that killed it. */
int process_run(int (*run)(const void *context), const void *context);

/* May a test fork() after it has started threads? ThreadSanitizer does not follow that. */
bool can_fork(void);

#endif
