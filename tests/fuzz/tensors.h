/* SPDX-License-Identifier: MIT
 *
 * A mutator of safetensors files, as models, checkpoints and indexes are, that knows their
 * structure: it changes what the header says, entries of the metadata and elements of the
 * tensors, and then writes a file in which offsets, and the checksum if there is one, are
 * right. So what stands behind those is reached. */
#ifndef TESTS_FUZZ_TENSORS_H
#define TESTS_FUZZ_TENSORS_H

#include "fuzz.h"

/* As fuzz_target.mutate. Now and then any bytes are changed, and always where the input is not
 * a file as ours are. */
size_t tensors_mutate(uint8_t *input, size_t size, size_t room);

#endif
