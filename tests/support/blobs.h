/* SPDX-License-Identifier: MIT
 * A small data set with clusters to find, for tests of training. */
#ifndef TESTS_BLOBS_H
#define TESTS_BLOBS_H

#include "imsat/imsat.h"

enum { BLOB_ROWS = 203, BLOB_DIM = 6, BLOB_K = 3, BLOB_BITS = 11 };

/* Normal blobs around three far centers; row i is of blob i % 3. Valid until the program ends.
 */
imsat_data *blobs_open(void);

/* The same rows as images of 2 x 3 pixels, from a file in the test's folder. */
imsat_data *blobs_open_images(void);

/* Options for a short run on them. */
imsat_options blobs_options(const char *method);

/* The same, for codes of BLOB_BITS bits. */
imsat_options blobs_hash_options(const char *method);

/* Set an option by its name, if the method uses it. */
void blobs_set(imsat_options *options, const char *name, const char *text);

/* Train by what the options are for, save under `name` in the test's folder, and read the file
 * to bytes (room). Returns its size. */
size_t blobs_model_bytes(const imsat_data *data, const imsat_options *options,
                         const char *name, char *bytes, size_t room);

/* Stop at the stop_at-th call of progress in a run: what comes before the runs is not counted.
 */
typedef struct blobs_stop {
    size_t calls, stop_at;
} blobs_stop;

int blobs_stop_after(void *user, const imsat_progress *progress);

/* Stop a training at that call; then go on from its checkpoint with other threads. *resumed
 * are options that do so. */
void blobs_interrupt(imsat_options *resumed, const imsat_data *data,
                     const imsat_options *options, size_t stop_at);

/* Fail unless three runs leave the same file, whatever the number of threads, when they are
 * stopped at any of several places and resumed. */
void blobs_same_file(const imsat_data *data, const imsat_options *options);

/* Train by one thread with the 1st, 2nd, ... allocation refused, as fail_each() does. Returns
 * how many allocations that takes. */
size_t blobs_fail_each(const imsat_data *data, const imsat_options *options);

/* A few steps of a training, which must not allocate. prior: of clusters, else NULL. */
void blobs_steps_allocate_nothing(const imsat_data *data, const imsat_options *options,
                                  const double *prior);

#endif
