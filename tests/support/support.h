/* SPDX-License-Identifier: MIT
 *
 * What the tests share: cmocka with the headers it needs, a temporary folder, and whole files
 * in one call.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "imsat/imsat.h"

/* Whether this is a build with a sanitizer, where everything takes five to fifty times as long
 * and some memory more. Tests that try many sizes, seeds or moments of the same code take some
 * of them there; which, they say. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* A fresh folder; folder_remove() deletes it with the files in it. */
void folder_make(void);
void folder_remove(void);

/* "<the folder>/<name>", in one of a few buffers that are used in turn. */
const char *in_folder(const char *name);

/* How many entries the folder has. */
size_t folder_count(void);

/* The two as group fixtures of cmocka. */
int folder_setup(void **state);
int folder_teardown(void **state);

void write_file(const char *path, const void *bytes, size_t size);

/* Change one byte of a file, in place: one that is emptied and written again thousands of
 * times keeps the disk busy. */
void write_byte(const char *path, size_t at, unsigned char byte);

/* At most `room` bytes of a file; the number read. */
size_t read_file(const char *path, void *bytes, size_t room);

/* Fail the test with the message unless the status is IMSAT_OK. */
void assert_ok(imsat_status status, const imsat_error *err);

/* Fail unless the status is `expected` and the message contains `part`. */
void assert_refused(imsat_status status, const imsat_error *err, imsat_status expected,
                    const char *part);

/* Fail unless |value - expected| <= tolerance. (cmocka's assert_float_equal compares floats.)
 */
void assert_near(double value, double expected, double tolerance);

#endif
