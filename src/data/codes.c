/* SPDX-License-Identifier: MIT
 *
 * Codes from .npy files of uint8, (rows, bytes): mapped, checked, and copied to one array.
 *
 * A file says nothing of bits, so they are eight a byte unless the caller says less. Files
 * whose first bit is the least significant one are turned round on the way. Bits behind the
 * last are 0 in every code that leaves this file: a distance can count whole bytes.
 */
#include "data/codes.h"

#include "core/alloc.h"
#include "data/reader.h"

#include <assert.h>
#include <string.h>

size_t imsat_code_bytes(size_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

uint8_t im_codes_reverse(uint8_t byte)
{
    unsigned x = byte;
    x = (x & 0x0f) << 4 | (x & 0xf0) >> 4;
    x = (x & 0x33) << 2 | (x & 0xcc) >> 2;
    x = (x & 0x55) << 1 | (x & 0xaa) >> 1;
    return (uint8_t)x;
}

uint8_t im_codes_padding(size_t bits)
{
    assert(bits > 0);
    return (uint8_t)(bits % 8 ? 0xffU >> bits % 8 : 0);
}

void imsat_codes_clear(imsat_codes *codes)
{
    if (!codes)
        return;
    im_free(codes->bytes);
    *codes = (imsat_codes){0};
}

static imsat_status check_options(const imsat_codes_options *options, size_t npaths,
                                  imsat_error *err)
{
    if (npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no file of codes is given");
    if (options->bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EINVAL, "codes of %zu bits; at most %d are possible",
                       options->bits, IMSAT_MAX_BITS);
    if ((unsigned)options->order >= IMSAT_BIT_ORDERS)
        return im_fail(err, IMSAT_EINVAL, "%d is not a bit order", (int)options->order);
    return IMSAT_OK;
}

/* Bytes, as wide as codes of so many bits are; 0 bits: as wide as any are. */
static imsat_status check_width(const im_block *block, const im_read_request *request,
                                imsat_error *err)
{
    const size_t bits = *(const size_t *)request->context;
    if (block->dtype != IM_U8 || block->ndim != 2)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: holds %s; codes are uint8 of shape (rows, bytes), as "
                       "numpy.packbits(x, axis=1) makes them",
                       request->path, block->description);
    if (block->dim > imsat_code_bytes(IMSAT_MAX_BITS))
        return im_fail(err, IMSAT_EFORMAT, "%s: codes of %zu bytes; at most %zu are possible",
                       request->path, block->dim, imsat_code_bytes(IMSAT_MAX_BITS));
    if (bits && block->dim != imsat_code_bytes(bits))
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s: rows of %zu bytes; codes of %zu bits take %zu", request->path,
                       block->dim, bits, imsat_code_bytes(bits));
    return IMSAT_OK;
}

/* A file as a block of bytes. */
static imsat_status open_block(im_block *out, const char *path, size_t bits, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    const im_read_request request = {.path = path, .suits = check_width, .context = &bits};
    IM_TRY(im_bytes_open(&bytes, path, err));
    if (!im_npy_reader.holds(&bytes)) {
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: is not a .npy file; codes are .npy files of uint8, (rows, bytes), "
                     "as numpy.packbits(x, axis=1) makes them",
                     path);
        goto cleanup;
    }
    IM_TRY(im_npy_reader.read(out, &bytes, &request, err));

cleanup:
    st = im_bytes_check(&bytes, st, err);
    im_bytes_clear(&bytes);
    return st;
}

/* The rows of a block, most significant bit first. */
static imsat_status copy_block(uint8_t *out, const im_block *block, imsat_bit_order order,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = block->dim, size = block->rows * width;
    const unsigned char *whole = im_block_whole(block);
    if (whole)
        memcpy(out, whole, size);
    for (size_t i = 0; !whole && i < block->rows && st == IMSAT_OK; i++)
        st = im_block_read_raw(out + i * width, block, i, 0, width, err);
    if (order == IMSAT_LSB_FIRST)
        for (size_t i = 0; i < size; i++)
            out[i] = im_codes_reverse(out[i]);
    return st;
}

static imsat_status check_padding(const uint8_t *codes, size_t rows,
                                  const imsat_codes_options *options, const char *path,
                                  imsat_error *err)
{
    const size_t width = imsat_code_bytes(options->bits);
    const uint8_t padding = im_codes_padding(options->bits);
    for (size_t i = 0; padding && i < rows; i++) {
        const uint8_t last = codes[(i + 1) * width - 1];
        if (last & padding)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: the last byte of row %zu (from 0) is %u, which sets bits "
                           "behind the last of %zu; are bits and bit order right?",
                           path, i,
                           options->order == IMSAT_LSB_FIRST ? im_codes_reverse(last) : last,
                           options->bits);
    }
    return IMSAT_OK;
}

/* Join blocks to an array. options->bits is set. */
static imsat_status join(imsat_codes *out, const im_block *blocks, const char *const *paths,
                         size_t npaths, const imsat_codes_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_codes codes = {.bits = options->bits};
    const size_t width = imsat_code_bytes(options->bits);
    size_t first = 0;
    for (size_t i = 0; i < npaths; i++)
        codes.rows += blocks[i].rows; /* each is below the bytes of its file: no overflow */
    codes.bytes = im_alloc(codes.rows, width);
    if (!codes.bytes)
        return im_fail_memory(err, "the codes");
    for (size_t i = 0; i < npaths; i++) {
        uint8_t *rows = codes.bytes + first * width;
        IM_TRY(copy_block(rows, &blocks[i], options->order, err));
        im_bytes_release(&blocks[i].bytes, 0, blocks[i].bytes.size);
        IM_TRY(im_bytes_check(&blocks[i].bytes,
                              check_padding(rows, blocks[i].rows, options, paths[i], err),
                              err));
        first += blocks[i].rows;
    }
    *out = codes;
    codes = (imsat_codes){0};

cleanup:
    imsat_codes_clear(&codes);
    return st;
}

imsat_status imsat_codes_read(imsat_codes *codes, const char *const *paths, size_t npaths,
                              const imsat_codes_options *options, imsat_error *err)
{
    IM_REQUIRE(codes);
    IM_REQUIRE_PATHS(paths, npaths);
    imsat_status st = IMSAT_OK;
    imsat_codes_options used = options ? *options : (imsat_codes_options){0};
    im_block *blocks = NULL;
    IM_TRY(check_options(&used, npaths, err));
    blocks = im_alloc(npaths, sizeof *blocks);
    if (!blocks) {
        st = im_fail_memory(err, "the codes");
        goto cleanup;
    }
    for (size_t i = 0; i < npaths; i++) {
        IM_TRY(open_block(&blocks[i], paths[i], used.bits, err));
        if (!used.bits)
            used.bits = 8 * blocks[i].dim;
    }
    IM_TRY(join(codes, blocks, paths, npaths, &used, err));

cleanup:
    for (size_t i = 0; blocks && i < npaths; i++)
        im_block_clear(&blocks[i]);
    im_free(blocks);
    return st;
}
