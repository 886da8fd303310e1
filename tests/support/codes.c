/* SPDX-License-Identifier: MIT
 * Codes for tests; see codes.h. */
#include "codes.h"

#include "support.h"

#include "core/alloc.h"
#include "core/rng.h"

#include <string.h>

enum { CENTERS = 9, FLIPS = 3 };

static uint32_t draw(uint32_t step, size_t item, size_t index)
{
    uint32_t block[4];
    im_rng_block(block, (im_rng){29, IM_STREAM_INIT, step, 0}, (uint32_t)item,
                 (uint32_t)index);
    return block[0];
}

static void set_random(uint8_t *code, size_t bits, uint32_t step, size_t item)
{
    const size_t bytes = imsat_code_bytes(bits);
    for (size_t b = 0; b < bytes; b++)
        code[b] = (uint8_t)draw(step, item, b);
    code[bytes - 1] &= (uint8_t)(255U << (8 * bytes - bits));
}

/* A center with up to FLIPS bits changed. */
static void set_clustered(uint8_t *code, size_t bits, uint32_t step, size_t item)
{
    const uint32_t flips = draw(step, item, 1) % (FLIPS + 1);
    set_random(code, bits, 100, draw(step, item, 0) % CENTERS);
    for (uint32_t f = 0; f < flips; f++) {
        const size_t bit = draw(step, item, 2 + f) % bits;
        code[bit / 8] ^= (uint8_t)(128U >> bit % 8);
    }
}

static imsat_codes make_codes(codes_kind kind, size_t rows, size_t bits, uint32_t step)
{
    const size_t bytes = imsat_code_bytes(bits);
    imsat_codes codes = {im_alloc(rows * bytes, 1), rows, bits};
    assert_non_null(codes.bytes);
    for (size_t i = 0; i < rows; i++)
        (kind == CODES_RANDOM ? set_random : set_clustered)(codes.bytes + i * bytes, bits,
                                                            step, i);
    return codes;
}

int32_t codes_distance(const imsat_codes *a, size_t i, const imsat_codes *b, size_t j)
{
    const size_t bytes = imsat_code_bytes(a->bits);
    int32_t differing = 0;
    for (size_t k = 0; k < bytes; k++)
        for (unsigned x = a->bytes[i * bytes + k] ^ b->bytes[j * bytes + k]; x; x >>= 1)
            differing += (int32_t)(x & 1);
    return differing;
}

typedef struct ranked {
    int64_t id;
    int32_t distance;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

void codes_case_make(codes_case *c, codes_kind kind, size_t rows, size_t queries, size_t bits)
{
    c->codes = make_codes(kind, rows, bits, 1);
    c->queries = make_codes(kind, queries, bits, 2);
    c->ids = im_alloc(rows, sizeof *c->ids);
    c->order = im_alloc(rows * queries, sizeof *c->order);
    c->distance = im_alloc(rows * queries, sizeof *c->distance);
    ranked *rank = im_alloc(rows, sizeof *rank);
    assert_true(c->ids && c->order && c->distance && rank);
    for (size_t i = 0; i < rows; i++) /* shuffled, seven apart, a third of them negative */
        c->ids[i] = 7 * (int64_t)im_rng_permute(i, rows, (im_rng){5, IM_STREAM_INIT, 0, 0}) -
                    7 * (int64_t)rows / 3;
    for (size_t q = 0; q < queries; q++) {
        for (size_t i = 0; i < rows; i++)
            rank[i] = (ranked){c->ids[i], codes_distance(&c->queries, q, &c->codes, i)};
        qsort(rank, rows, sizeof *rank, compare);
        for (size_t i = 0; i < rows; i++) {
            c->order[q * rows + i] = rank[i].id;
            c->distance[q * rows + i] = rank[i].distance;
        }
    }
    im_free(rank);
}

void codes_case_clear(codes_case *c)
{
    im_free(c->codes.bytes);
    im_free(c->queries.bytes);
    im_free(c->ids);
    im_free(c->order);
    im_free(c->distance);
    *c = (codes_case){0};
}

void assert_hits(const imsat_hits *hits, const codes_case *c, size_t count, size_t radius)
{
    const size_t rows = c->codes.rows;
    assert_int_equal(hits->queries, c->queries.rows);
    assert_int_equal(hits->start[0], 0);
    for (size_t q = 0; q < hits->queries; q++) {
        const int64_t *order = c->order + q * rows;
        const int32_t *distance = c->distance + q * rows;
        const size_t start = hits->start[q];
        size_t n = 0;
        while (n < rows && (!count || n < count) && (size_t)distance[n] <= radius)
            n++;
        if (hits->start[q + 1] - start != n)
            fail_msg("query %zu has %zu hits, not %zu", q, hits->start[q + 1] - start, n);
        for (size_t i = 0; i < n; i++)
            if (hits->ids[start + i] != order[i] || hits->distance[start + i] != distance[i])
                fail_msg("query %zu, hit %zu: id %lld at %d, not %lld at %d", q, i,
                         (long long)hits->ids[start + i], (int)hits->distance[start + i],
                         (long long)order[i], (int)distance[i]);
    }
}
