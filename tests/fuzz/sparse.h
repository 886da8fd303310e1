/* SPDX-License-Identifier: MIT
 * What the targets of sparse files share. */
#ifndef TESTS_FUZZ_SPARSE_H
#define TESTS_FUZZ_SPARSE_H

#include "fuzz.h"

/* Open `path`, of `size` bytes, as a data set, and require that sparse rows are in order, and
 * are the same after they were printed as svmlight and read again. Whether it was accepted;
 * else it was refused as it must be. */
bool sparse_read(const char *path, size_t size);

#endif
