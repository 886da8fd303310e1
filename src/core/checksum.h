/* SPDX-License-Identifier: MIT
 *
 * A 64-bit checksum over bytes that are not in one place: XXH3 of all of them in order. It
 * finds damage, not forgery. It is many times as fast as a CRC, and anyone can compute it
 * (xxhsum -H3).
 */
#ifndef IM_CORE_CHECKSUM_H
#define IM_CORE_CHECKSUM_H

#include "core/status.h"

typedef struct im_checksum im_checksum;

imsat_status im_checksum_new(im_checksum **out, imsat_error *err);
void im_checksum_add(im_checksum *checksum, const void *bytes, size_t size);
uint64_t im_checksum_value(const im_checksum *checksum);
void im_checksum_free(im_checksum *checksum);

/* The same of bytes that are all at hand; it cannot fail. */
uint64_t im_checksum_of(const void *bytes, size_t size);

#endif
