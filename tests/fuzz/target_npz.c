/* SPDX-License-Identifier: MIT
 *
 * .npz archives as data, by the file's own name and by that of an array. Half of the mutated
 * ones get the right checksums for what they hold, so that more of them come to be read. */
#include "core/unpack.h"
#include "imsat/process.h"
#include "rows.h"
#include "zips.h"

#include <stdio.h>
#include <string.h>

/* Bytes that an array may have when it is decompressed: it must fit fuzz_rows. */
enum { MOST_UNPACKED = ROWS_MOST };

static size_t npy(uint8_t *out, const char *shape, size_t size)
{
    char header[128];
    const int length =
        snprintf(header, sizeof header,
                 "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }", shape);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (uint8_t)length;
    out[9] = 0;
    memcpy(out + 10, header, (size_t)length);
    for (size_t i = 0; i < size; i++)
        out[10 + (size_t)length + i] = (uint8_t)(i % 5);
    return 10 + (size_t)length + size;
}

static void seed(const char *first, const char *second, bool deflated, bool wide)
{
    static zip_maker zip;
    uint8_t bytes[256];
    zip = (zip_maker){0};
    zip_add(&zip, first, bytes, npy(bytes, "(4, 3)", 12), deflated);
    if (second)
        zip_add(&zip, second, bytes, npy(bytes, "(4,)", 4), deflated);
    zip_end(&zip, wide);
    fuzz_seed(zip.bytes, zip.size);
}

static void begin(void)
{
    imsat_set_max_unpacked(MOST_UNPACKED);
    seed("arr_0.npy", NULL, false, false);
    seed("x.npy", "y.npy", false, false);
    seed("x.npy", "y.npy", true, false);
    seed("data.npy", "labels.npy", false, true);
}

static size_t number(const uint8_t *at, size_t bytes)
{
    size_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

/* The checksums of stored members as the list has them. */
static void mend(uint8_t *input, size_t size)
{
    for (size_t at = 0; at + 46 <= size; at++) {
        if (memcmp(input + at, "PK\1\2", 4) != 0)
            continue;
        const size_t packed = number(input + at + 20, 4), header = number(input + at + 42, 4);
        if (header > size || size - header < 30)
            continue;
        const size_t start =
            header + 30 + number(input + header + 26, 2) + number(input + header + 28, 2);
        if (start > size || packed > size - start)
            continue;
        const uint32_t crc = im_unpack_crc(0, input + start, packed);
        memcpy(input + at + 16, &crc, sizeof crc);
    }
}

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    size = LLVMFuzzerMutate(input, size, room);
    if (fuzz_below(2))
        mend(input, size);
    return size;
}

/* Whether it is refused for what it would take. */
static bool is_large(const char *path)
{
    imsat_data *data = NULL;
    imsat_error err;
    const imsat_status st = imsat_data_open(&data, &path, 1, NULL, &err);
    imsat_data_free(data);
    return st == IMSAT_ENOMEM && strstr(err.message, "--max-unpacked");
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const paths[] = {"x.npz", "x.npz:x", "x.npz:labels"};
    static fuzz_rows r;
    bool accepted = false;
    fuzz_file_put("x.npz", input, size);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!is_large(paths[i]))
            accepted |= rows_read(&r, paths[i], MOST_UNPACKED, NULL);
    return accepted;
}

const fuzz_target fuzz_this = {"npz", 1024, begin, run, mutate};
