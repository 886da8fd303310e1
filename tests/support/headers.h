/* SPDX-License-Identifier: MIT
 * The functions of the public headers and their pointers, read from the headers themselves. */
#ifndef TESTS_HEADERS_H
#define TESTS_HEADERS_H

#include <stddef.h>

/* How many times a test knows an argument of a function. */
typedef size_t headers_counter(const char *function, const char *argument);

/* Count functions and pointers of all headers; the test fails at the first pointer, but for
 * `err`, that is not counted once. */
void headers_check(headers_counter *count, size_t *functions, size_t *pointers);

#endif
