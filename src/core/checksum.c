/* SPDX-License-Identifier: MIT
 * The checksum; see checksum.h. The only file that knows xxHash, and it takes all of it from
 * the header: there is no library to link. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/alloc.h"
#include "core/checksum.h"

struct im_checksum {
    XXH3_state_t state; /* needs the 64-byte alignment that im_alloc() gives */
};

imsat_status im_checksum_new(im_checksum **out, imsat_error *err)
{
    im_checksum *checksum = im_alloc(1, sizeof *checksum);
    if (!checksum)
        return im_fail_memory(err, "a checksum");
    XXH3_64bits_reset(&checksum->state);
    *out = checksum;
    return IMSAT_OK;
}

void im_checksum_add(im_checksum *checksum, const void *bytes, size_t size)
{
    if (size) /* an empty array may have no address */
        XXH3_64bits_update(&checksum->state, bytes, size);
}

uint64_t im_checksum_value(const im_checksum *checksum)
{
    return XXH3_64bits_digest(&checksum->state);
}

void im_checksum_free(im_checksum *checksum)
{
    im_free(checksum);
}

uint64_t im_checksum_of(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
