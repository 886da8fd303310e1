/* SPDX-License-Identifier: MIT
 *
 * The fingerprint of a data set, by which a checkpoint and a model tell the data they were
 * made from. It is a number for the values, not for the bytes of a file: each row is converted
 * to float, and -0 counts as 0, so the same matrix as uint8 or float64, in Fortran order, as
 * text, or cut into several files has the same fingerprint. Of a value that float rounds, what
 * the rounding takes away counts, too: preprocessing sees it (preprocess.h).
 *
 * The floats of a row go, as 32-bit words, round robin into four lanes that do not wait for
 * each other; every row begins with the first lane. A lane takes a word by
 *
 *     h = rotate(h + word A, 31) B          A, B odd
 *
 * which is one-to-one in h and, for a given h, in the word. This finds changes of the data; it
 * does not withstand someone who looks for a collision.
 *
 * The checksums of files are XXH3 (core/checksum.h), and fed with the same floats XXH3 would
 * serve here as well. But the number is part of every model and checkpoint: another hash would
 * make the checkpoints of earlier versions refuse the data they were made from.
 */
#include "data/dataset.h"

#include <string.h>

/* CHUNK: floats that are converted at a time, so that no memory has to be taken. It is a
 * multiple of LANES, so that a row's lanes do not depend on it. */
enum { LANES = 4, CHUNK = 256 };

static const uint64_t FACTOR_A = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t FACTOR_B = UINT64_C(0xD6E8FEB86659FD93);

static inline uint64_t hash_word(uint64_t h, uint64_t word)
{
    h += word * FACTOR_A;
    return (h << 31 | h >> 33) * FACTOR_B;
}

static inline uint32_t value_bits(float x)
{
    uint32_t bits;
    x += 0.0f;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void hash_floats(uint64_t lanes[LANES], const float *x, size_t count)
{
    uint64_t h0 = lanes[0], h1 = lanes[1], h2 = lanes[2], h3 = lanes[3];
    size_t j = 0;
    for (; j + LANES <= count; j += LANES) {
        h0 = hash_word(h0, value_bits(x[j]));
        h1 = hash_word(h1, value_bits(x[j + 1]));
        h2 = hash_word(h2, value_bits(x[j + 2]));
        h3 = hash_word(h3, value_bits(x[j + 3]));
    }
    lanes[0] = h0, lanes[1] = h1, lanes[2] = h2, lanes[3] = h3;
    for (; j < count; j++)
        lanes[j % LANES] = hash_word(lanes[j % LANES], value_bits(x[j]));
}

/* What float takes away from elements of a row whose floats are x (count), where it does. */
static void hash_rests(uint64_t lanes[LANES], const float *x, const im_block *block,
                       size_t row, size_t first, size_t count)
{
    double wide[CHUNK];
    im_block_doubles(wide, block, row, first, count);
    for (size_t j = 0; j < count; j++) {
        const double rest = wide[j] - x[j];
        uint64_t bits;
        memcpy(&bits, &rest, sizeof bits);
        if (rest != 0)
            lanes[j % LANES] = hash_word(lanes[j % LANES], bits);
    }
}

/* Some rows of a block, from `first` on. */
static void hash_rows(uint64_t lanes[LANES], const im_block *block, size_t first, size_t end)
{
    float chunk[CHUNK];
    for (size_t i = first; i < end; i++) {
        for (size_t j = 0; j < block->dim; j += CHUNK) {
            const size_t count = block->dim - j < CHUNK ? block->dim - j : CHUNK;
            im_block_floats(chunk, block, i, j, count);
            hash_floats(lanes, chunk, count);
            if (im_dtype_is_wide(block->dtype))
                hash_rests(lanes, chunk, block, i, j, count);
        }
        im_block_pass(block, i);
    }
}

static uint64_t finish(const uint64_t lanes[LANES], const imsat_data *data)
{
    uint64_t h = hash_word(hash_word(0, data->rows), data->dim);
    for (size_t i = 0; i < LANES; i++)
        h = hash_word(h, lanes[i]);
    h ^= h >> 32;
    return h * FACTOR_A ^ h >> 29;
}

imsat_status im_data_fingerprint(uint64_t *out, const imsat_data *data, const im_stage *stage,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const size_t piece = im_data_piece(data);
    uint64_t lanes[LANES] = {1, 2, 3, 4};
    size_t done = 0;
    for (size_t b = 0; b < data->nblocks; b++)
        for (size_t first = 0; first < data->blocks[b].rows; first += piece) {
            const im_block *block = &data->blocks[b];
            const size_t end = block->rows - first < piece ? block->rows : first + piece;
            hash_rows(lanes, block, first, end);
            done += end - first;
            IM_TRY(im_stage_report(&whole, (double)done / (double)data->rows, err));
        }
    *out = finish(lanes, data);

cleanup:
    return st;
}
