/* SPDX-License-Identifier: MIT
 * A small data set with clusters to find, for tests of training. */
#ifndef TESTS_BLOBS_H
#define TESTS_BLOBS_H

#include "imsat/imsat.h"

enum { BLOB_ROWS = 203, BLOB_DIM = 6, BLOB_K = 3, BLOB_BITS = 11 };

/* Normal blobs around three far centers; row i is of blob i % 3. Valid until the program ends.
 */
imsat_data *blobs_open(void);

/* Options for a short run on them. */
imsat_options blobs_options(imsat_method method);

/* The same, for codes of BLOB_BITS bits. */
imsat_options blobs_hash_options(imsat_method method);

#endif
