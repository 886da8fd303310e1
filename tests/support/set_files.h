/* SPDX-License-Identifier: MIT
 * Folders with the files of small data sets, for the tests of recipes. */
#ifndef TESTS_SET_FILES_H
#define TESTS_SET_FILES_H

#include "imsat/sets.h"

#include <stdbool.h>

/* A group fixture and its end: the tests' folder, with folders in it. */
int set_files_start(void **state);
int set_files_end(void **state);

/* An empty folder of the tests' folder, which the functions below write to. */
const char *set_folder(const char *name);

/* Write a file of the folder, "sub/name", and the folder that it is in; packed: by gzip. */
void set_put(const char *name, const void *data, size_t size, bool packed);

/* Prepare a set from the folder; the test fails with the message if that fails. */
imsat_data *set_prepare(const char *set, const imsat_prepare_options *options);

/* It must be refused, with a message that holds `part`. */
void assert_not_prepared(const char *set, const imsat_prepare_options *options,
                         imsat_status status, const char *part);

/* Fail unless the labels of data are these. */
void assert_set_labels(const imsat_data *data, const int32_t *expected, size_t n);

#endif
