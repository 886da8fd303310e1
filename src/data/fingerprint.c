/* SPDX-License-Identifier: MIT
 *
 * The fingerprint of a data set, by which a checkpoint and a model tell the data they were
 * made from. It is a number for the values, not for the bytes of a file: each row is converted
 * to float, and -0 counts as 0, so the same matrix as uint8 or float64, in Fortran order, as
 * text, or cut into several files has the same fingerprint. Of a value that float rounds, what
 * the rounding takes away counts, too: preprocessing sees it (preprocess.h).
 *
 * The value of a row is the sum of the 32-bit words w of its floats, each times an odd key of
 * its column j, and the rows go into a chain:
 *
 *     row = sum_j swap(w_j) key_j                 mod 2^64
 *     h   = rotate(h + row A, 31) B               A, B odd
 *
 * A zero adds nothing, so sparse rows take the time of their elements, and have the value of
 * the same rows with their zeros. A change of one word always changes its row, and a change of
 * one row always changes h; what else changes goes unnoticed by chance alone. swap() exchanges
 * the halves of a word: small whole numbers have zeros in the lower one, and would leave the
 * lower bits of the sum zero. This finds changes of the data; it does not withstand someone
 * who looks for a collision.
 *
 * XXH3, of which the checksums of files are (core/checksum.h), and any other chain over the
 * words cannot pass over zeros. The number is part of every checkpoint: another hash is
 * another format of theirs (model/checkpoint.c).
 */
#include "core/real.h"
#include "data/dataset.h"

#include <string.h>

/* CHUNK: floats that are converted at a time, so that no memory has to be taken. The key of
 * column c CHUNK + j is that of chunk c times that of place j. */
enum { CHUNK = 256 };

static const uint64_t FACTOR_A = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t FACTOR_B = UINT64_C(0xD6E8FEB86659FD93);

static inline uint64_t hash_word(uint64_t h, uint64_t word)
{
    h += word * FACTOR_A;
    return (h << 31 | h >> 33) * FACTOR_B;
}

/* An odd number that looks random. */
static uint64_t key_of(uint64_t i)
{
    const uint64_t h = hash_word(hash_word(~i, i), i);
    return (h ^ h >> 32) | 1;
}

/* What is being hashed: the chain over the rows, and the keys of the places of a chunk. */
typedef struct print {
    uint64_t h;
    uint64_t key[CHUNK];
} print;

static inline uint64_t swapped_bits(float x)
{
    uint32_t bits;
    x += 0.0f;
    memcpy(&bits, &x, sizeof bits);
    return bits << 16 | bits >> 16;
}

IM_CLONES static uint64_t sum_floats(const uint64_t key[CHUNK], const float *x, size_t count)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < count; j++)
        sum += swapped_bits(x[j]) * key[j];
    return sum;
}

/* What float takes away from elements of a row whose floats are x (count), where it does. Its
 * keys are others: those of the floats with their halves exchanged. */
static uint64_t sum_rests(const uint64_t key[CHUNK], const float *x, const im_block *block,
                          size_t row, size_t first, size_t count)
{
    double wide[CHUNK];
    uint64_t sum = 0;
    im_block_doubles(wide, block, row, first, count);
    for (size_t j = 0; j < count; j++) {
        const double rest = wide[j] - x[j];
        uint64_t bits;
        memcpy(&bits, &rest, sizeof bits);
        if (rest != 0)
            sum += (bits << 32 | bits >> 32) * (key[j] << 32 | key[j] >> 32 | 1);
    }
    return sum;
}

static uint64_t sum_row(const print *p, const im_block *block, size_t row)
{
    float chunk[CHUNK];
    uint64_t sum = 0;
    for (size_t j = 0; j < block->dim; j += CHUNK) {
        const size_t count = block->dim - j < CHUNK ? block->dim - j : CHUNK;
        im_block_floats(chunk, block, row, j, count);
        uint64_t part = sum_floats(p->key, chunk, count);
        if (im_dtype_is_wide(block->dtype))
            part += sum_rests(p->key, chunk, block, row, j, count);
        sum += part * key_of(j / CHUNK);
    }
    return sum;
}

/* The same of a sparse row, whose elements are float. */
static uint64_t sum_sparse_row(const print *p, im_csr_row row)
{
    uint64_t sum = 0;
    for (size_t e = 0; e < row.count;) {
        const size_t chunk = (size_t)row.column[e] / CHUNK;
        uint64_t part = 0;
        for (; e < row.count && (size_t)row.column[e] / CHUNK == chunk; e++)
            part += swapped_bits(row.value[e]) * p->key[(size_t)row.column[e] % CHUNK];
        sum += part * key_of(chunk);
    }
    return sum;
}

/* Some rows of a block of the data, from `first` on. */
static void hash_rows(print *p, const imsat_data *data, const im_block *block, size_t first,
                      size_t end)
{
    const bool sparse = im_data_is_sparse(data);
    for (size_t i = first; i < end; i++) {
        const uint64_t row =
            sparse ? sum_sparse_row(p, im_data_sparse_row(data, block->first + i))
                   : sum_row(p, block, i);
        p->h = hash_word(p->h, row);
        im_block_pass(block, i);
    }
}

static uint64_t finish(const print *p, const imsat_data *data)
{
    uint64_t h = hash_word(hash_word(p->h, data->rows), data->dim);
    h ^= h >> 32;
    return h * FACTOR_A ^ h >> 29;
}

imsat_status im_data_fingerprint(uint64_t *out, const imsat_data *data, const im_stage *stage,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const size_t piece = im_data_piece(data);
    print p = {.h = 1};
    size_t done = 0;
    for (size_t j = 0; j < CHUNK; j++)
        p.key[j] = key_of(CHUNK + j);
    for (size_t b = 0; b < data->nblocks; b++)
        for (size_t first = 0; first < data->blocks[b].rows; first += piece) {
            const im_block *block = &data->blocks[b];
            const size_t end = block->rows - first < piece ? block->rows : first + piece;
            hash_rows(&p, data, block, first, end);
            done += end - first;
            IM_TRY(im_stage_report(&whole, (double)done / (double)data->rows, err));
        }
    *out = finish(&p, data);

cleanup:
    return st;
}
