/* SPDX-License-Identifier: MIT
 *
 * For the tests of readers: files made byte by byte in the tests' folder, and what a refusal
 * must look like.
 */
#ifndef TESTS_DATA_FILES_H
#define TESTS_DATA_FILES_H

#include "support.h"

/* Each writes a file of this name to the folder and gives its path (see in_folder()). */
const char *file_put(const char *name, const void *data, size_t size);
const char *file_text(const char *name, const char *text);
const char *file_gzip(const char *name, const void *data, size_t size);

/* A gzip file of `head` and then `count` times the bytes of `block`: small, however large it
 * is when it is decompressed. */
const char *file_bomb(const char *name, const void *head, size_t head_size, const void *block,
                      size_t block_size, size_t count);

/* Bytes of an npy file of version `major`.0 around a header text; returns their number. */
size_t npy_bytes(unsigned char *out, int major, const char *header, const void *data,
                 size_t size);
const char *file_npy(const char *name, const char *header, const void *data, size_t size);

/* Opens one file; the test fails with its message if that fails. */
imsat_data *open_with(const char *path, const char *label_column);

/* Opens one file with its 1st, 2nd, ... allocation refused, as fail_each() does. Returns how
 * many allocations that takes. */
size_t fail_each_open(const char *path);

/* The fingerprint of data that can be read. */
uint64_t fingerprint_of(const imsat_data *data);

/* Fail unless the message names the path and holds `part`. */
void assert_message(const imsat_error *err, const char *path, const char *part);

/* Opening the file must give this status and a message that names it and holds `part`. */
void assert_unreadable_with(const char *path, const char *label_column, imsat_status status,
                            const char *part);
void assert_unreadable(const char *path, const char *part); /* IMSAT_EFORMAT, no labels */

/* The rows of data must be these values. */
void assert_rows(const imsat_data *data, const float *expected, size_t rows, size_t dim);

#endif
