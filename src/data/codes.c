/* SPDX-License-Identifier: MIT
 *
 * Codes from files of any format that data has: checked, and copied to one array. Bytes are
 * packed codes, (rows, bytes). Truth values, and the columns of a table, are a bit each,
 * (rows, bits), in order; these are packed here.
 *
 * Packed, a file says nothing of bits, so they are eight a byte unless the caller says less.
 * Files whose first bit is the least significant one are turned round on the way. Bits behind
 * the last are 0 in every code that leaves this file: a distance can count whole bytes.
 */
#include "data/codes.h"

#include "core/alloc.h"
#include "data/reader.h"

#include <assert.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes that are copied at a time, so that few pages are held */

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

/* What a file is asked for. */
typedef struct wanted {
    size_t bits; /* of a code; 0: as many as the file has */
    bool table;  /* it is text */
} wanted;

/* A file of codes. */
typedef struct part {
    im_block block;
    bool unpacked; /* a value is a bit */
} part;

static bool is_unpacked(const im_block *block, const wanted *w)
{
    return w->table || block->dtype == IM_BOOL;
}

static imsat_status check_type(const im_block *block, const wanted *w, const char *path,
                               imsat_error *err)
{
    if (w->table || (block->ndim == 2 && !block->narrow &&
                     (block->dtype == IM_U8 || block->dtype == IM_BOOL)))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: holds %s; codes are uint8 of shape (rows, bytes), as "
                   "numpy.packbits(x, axis=1) makes them, or bool of shape (rows, bits), or a "
                   "table with a column for each bit",
                   path, block->description);
}

/* Codes as wide as so many bits are; 0 bits: as wide as any are. */
static imsat_status check_width(const im_block *block, const im_read_request *request,
                                imsat_error *err)
{
    const wanted *w = request->context;
    const bool unpacked = is_unpacked(block, w);
    const char *unit = unpacked ? "bits" : "bytes";
    const size_t most = unpacked ? IMSAT_MAX_BITS : imsat_code_bytes(IMSAT_MAX_BITS);
    const size_t fit = unpacked ? w->bits : imsat_code_bytes(w->bits);
    const imsat_status st = check_type(block, w, request->path, err);
    if (st != IMSAT_OK)
        return st;
    if (block->dim > most)
        return im_fail(err, IMSAT_EFORMAT, "%s: codes of %zu %s; at most %zu are possible",
                       request->path, block->dim, unit, most);
    if (w->bits && block->dim != fit)
        return im_fail(err, IMSAT_EMISMATCH, "%s: rows of %zu %s; codes of %zu bits take %zu",
                       request->path, block->dim, unit, w->bits, fit);
    return IMSAT_OK;
}

/* A file as a block of bytes or of bits. */
static imsat_status open_part(part *out, const char *path, size_t bits, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    wanted w = {.bits = bits};
    const im_read_request request = {.path = path, .suits = check_width, .context = &w};
    IM_TRY(im_reader_open(&file, path, err));
    w.table = file.reader->table;
    if (file.reader == &im_pictures_reader) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: holds pictures or other files, not codes", path);
        goto cleanup;
    }
    IM_TRY(im_reader_take(&out->block, &file, &request, err));
    IM_TRY(
        check_width(&out->block, &request, err)); /* a text has no header to tell it before */
    out->unpacked = is_unpacked(&out->block, &w);

cleanup:
    im_reader_close(&file);
    return st;
}

/* The rows of a block of bytes, most significant bit first. */
static imsat_status copy_bytes(uint8_t *out, const im_block *block, imsat_bit_order order,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = block->dim, size = block->rows * width;
    const unsigned char *whole = im_block_whole(block);
    for (size_t at = 0; whole && at < size; at += PIECE) {
        const size_t count = im_size_min(size - at, PIECE);
        memcpy(out + at, whole + at, count);
        im_bytes_touched(&block->bytes, whole + at, count);
    }
    for (size_t i = 0; !whole && i < block->rows && st == IMSAT_OK; i++)
        st = im_block_read_raw(out + i * width, block, i, 0, width, err);
    if (order == IMSAT_LSB_FIRST)
        for (size_t i = 0; i < size; i++)
            out[i] = im_codes_reverse(out[i]);
    return st;
}

/* The rows of a block of bits, packed. out is 0. */
static imsat_status pack_bits(uint8_t *out, const im_block *block, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double bit[IMSAT_MAX_BITS];
    for (size_t i = 0; i < block->rows; i++, out += imsat_code_bytes(block->dim)) {
        IM_TRY(im_block_read_wide(bit, block, i, 0, block->dim, err));
        for (size_t j = 0; j < block->dim; j++) {
            if (bit[j] != 0 && bit[j] != 1)
                return im_fail(err, IMSAT_EFORMAT,
                               "%s: row %zu, column %zu (both from 0) is %g; codes in a table "
                               "have a column for each bit, 0 or 1",
                               path, i, j, bit[j]);
            out[j / 8] |= (uint8_t)((bit[j] != 0) << (7 - j % 8));
        }
    }

cleanup:
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

/* The codes of one file. */
static imsat_status copy_part(uint8_t *out, const part *p, const imsat_codes_options *options,
                              const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_block *block = &p->block;
    IM_TRY(p->unpacked ? pack_bits(out, block, path, err)
                       : copy_bytes(out, block, options->order, err));
    im_bytes_release(&block->bytes, 0, block->bytes.size);
    IM_TRY(check_padding(out, block->rows, options, path, err));

cleanup:
    return im_bytes_check(&block->bytes, st, err);
}

/* Join files to an array. options->bits is set. */
static imsat_status join(imsat_codes *out, const part *parts, const char *const *paths,
                         size_t npaths, const imsat_codes_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_codes codes = {.bits = options->bits};
    const size_t width = imsat_code_bytes(options->bits);
    size_t first = 0;
    for (size_t i = 0; i < npaths; i++)
        codes.rows +=
            parts[i].block.rows; /* each is below the bytes of its file: no overflow */
    codes.bytes = im_alloc(codes.rows, width);
    if (!codes.bytes)
        return im_fail_memory(err, "the codes");
    for (size_t i = 0; i < npaths; i++) {
        IM_TRY(copy_part(codes.bytes + first * width, &parts[i], options, paths[i], err));
        first += parts[i].block.rows;
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
    part *parts = NULL;
    IM_TRY(check_options(&used, npaths, err));
    parts = im_alloc(npaths, sizeof *parts);
    if (!parts) {
        st = im_fail_memory(err, "the codes");
        goto cleanup;
    }
    for (size_t i = 0; i < npaths; i++) {
        IM_TRY(open_part(&parts[i], paths[i], used.bits, err));
        if (!used.bits)
            used.bits = parts[i].block.dim * (parts[i].unpacked ? 1 : 8);
    }
    IM_TRY(join(codes, parts, paths, npaths, &used, err));

cleanup:
    for (size_t i = 0; parts && i < npaths; i++)
        im_block_clear(&parts[i].block);
    im_free(parts);
    return st;
}
