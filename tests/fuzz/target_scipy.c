/* SPDX-License-Identifier: MIT
 *
 * Sparse matrices of scipy. An input says how long the arrays are and what they hold; the
 * archive around them is as it must be (target_npz.c has broken ones). */
#include "sparse.h"
#include "zips.h"

#include <stdio.h>
#include <string.h>

/* Format, and how many of indptr, indices and data there are, by a byte each; then they. */
enum { HEAD = 4, MOST = 40 };

/* An array of `count` bytes, taken from the input as far as it goes. */
static void add_array(zip_maker *zip, const char *name, const char *type, const uint8_t **at,
                      size_t *left, size_t count)
{
    uint8_t npy[256] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const int length =
        snprintf((char *)npy + 10, 200,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }\n", type, count);
    const size_t taken = count < *left ? count : *left;
    npy[8] = (uint8_t)length;
    memset(npy + 10 + length, 0, count);
    memcpy(npy + 10 + length, *at, taken);
    *at += taken;
    *left -= taken;
    zip_add(zip, name, npy, 10 + (size_t)length + count, false);
}

static size_t count_of(uint8_t byte)
{
    return 1 + byte % MOST;
}

static bool run(const uint8_t *input, size_t size)
{
    static zip_maker zip;
    static const char *const formats[] = {"csr", "csc", "coo"};
    zip = (zip_maker){0};
    if (size < HEAD)
        return false;
    const uint8_t *at = input + HEAD, *format = (const uint8_t *)formats[input[0] % 3];
    size_t left = size - HEAD, three = 3;
    add_array(&zip, "shape.npy", "|u1", &at, &left, 2);
    add_array(&zip, "indptr.npy", "|u1", &at, &left, count_of(input[1]));
    add_array(&zip, "indices.npy", "|u1", &at, &left, count_of(input[2]));
    add_array(&zip, "data.npy", "|i1", &at, &left, count_of(input[3]));
    add_array(&zip, "format.npy", "|S3", &format, &three, 3);
    zip_end(&zip, false);
    fuzz_file_put("x.npz", zip.bytes, zip.size);
    return sparse_read("x.npz", zip.size);
}

static void begin(void)
{
    static const uint8_t rows[] = {0, 2, 2, 2, 2, 3, 0, 2, 3, 2, 1, 0, 5, 2, 1};
    static const uint8_t columns[] = {1, 3, 2, 2, 2, 3, 0, 1, 2, 3, 1, 0, 0, 1, 2, 5};
    fuzz_seed(rows, sizeof rows);
    fuzz_seed(columns, sizeof columns);
}

const fuzz_target fuzz_this = {"scipy", 160, begin, run, NULL};
