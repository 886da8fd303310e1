/* SPDX-License-Identifier: MIT
 * Codes as words; see words.h. */
#include "search/words.h"

#include "core/alloc.h"

#include <assert.h>

size_t im_words_of(size_t bits)
{
    assert(bits > 0 && bits <= IMSAT_MAX_BITS);
    return bits / 64 + (bits % 64 != 0);
}

imsat_status im_words_check(const imsat_codes *codes, const char *what, imsat_error *err)
{
    if (codes->bits < 1 || codes->bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EINVAL, "%s have %zu bits, and must have from 1 to %d", what,
                       codes->bits, IMSAT_MAX_BITS);
    const size_t bytes = imsat_code_bytes(codes->bits);
    size_t all;
    if (!codes->bytes && codes->rows)
        return im_fail(err, IMSAT_EINVAL, "%s: there are %zu rows, but bytes is NULL", what,
                       codes->rows);
    if (!im_size_mul(&all, codes->rows, bytes) || all > PTRDIFF_MAX)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: %zu rows of %zu bytes are more than memory holds", what,
                       codes->rows, bytes);
    const unsigned unused = (unsigned)(8 * bytes - codes->bits);
    const uint8_t behind = (uint8_t)((1U << unused) - 1);
    for (size_t i = 0; unused && i < codes->rows; i++)
        if (codes->bytes[(i + 1) * bytes - 1] & behind)
            return im_fail(err, IMSAT_EINVAL,
                           "%s: row %zu has a bit set behind the last of its %zu bits", what,
                           i, codes->bits);
    return IMSAT_OK;
}

void im_words_pack(uint64_t *words, const imsat_codes *codes)
{
    const size_t bytes = imsat_code_bytes(codes->bits), per_code = im_words_of(codes->bits);
    for (size_t i = 0; i < codes->rows; i++) {
        const uint8_t *from = codes->bytes + i * bytes;
        uint64_t *to = words + i * per_code;
        for (size_t j = 0; j < per_code; j++)
            to[j] = 0;
        for (size_t b = 0; b < bytes; b++)
            to[b / 8] |= (uint64_t)from[b] << 8 * (b % 8);
    }
}

size_t im_words_position(size_t i)
{
    assert(i < IMSAT_MAX_BITS);
    return i / 8 * 8 + 7 - i % 8;
}
