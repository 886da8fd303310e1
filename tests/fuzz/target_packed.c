/* SPDX-License-Identifier: MIT
 *
 * Compressed files, read from the system.
 *
 * An input that is compressed is decompressed: the bytes, or the refusal, do not depend on how
 * much is read at a time, and what is accepted has the bytes that the library of its codec
 * finds in it by a function for whole buffers. Any other input is compressed, by any codec: it
 * must come back, and as data it must be read or refused as the plain file is. Now and then
 * that file is many times the input, so that it is longer than what is decompressed at a time.
 */
#define _GNU_SOURCE
#include "core/bytes.h"
#include "core/unpack_codec.h"
#include "imsat/process.h"
#include "pack.h"
#include "unpackers.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum {
    MOST = 1024,
    ROOM = 1 << 21,               /* of what is decompressed; what is longer is not compared */
    LONG = (1 << 20) + (1 << 17), /* bytes of an input that is repeated, */
    SELDOM = 4096,                /* which takes long: this many are not */
    PIECE = 700,                  /* bytes that are read at a time */
    LIMIT = 64 << 20,             /* bytes that a file may take when it is decompressed */
    FEW = 1 << 14                 /* bytes that are read a second time, a few at a time */
};

static int file = -1;
static char path[64];

/* The text as a member, and twice, with zeros between. */
static void seed_packed(const packer *by, const char *text)
{
    uint8_t packed[MOST] = {0};
    const size_t length = strlen(text);
    const size_t size = by->pack(packed, MOST / 2 - 4, (const uint8_t *)text, length);
    fuzz_seed(packed, size);
    memcpy(packed + size + 4, packed, size);
    fuzz_seed(packed, 2 * size + 4);
}

static void begin(void)
{
    imsat_set_max_unpacked(LIMIT);
    fuzz_allow(((size_t)IM_UNPACK_MEMORY_MIB << 20) + LIMIT, 4);
    file = memfd_create("fuzzed", 0);
    REQUIRE(file >= 0, "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < packer_count; i++)
        seed_packed(&packers[i], "1,2,3\n4,5,6\n4,5,6\n4,5,6\n4,5,6\n");
    fuzz_seed_text("1,2,3\n4,5,6\n4,5,6\n4,5,6\n4,5,6\n");
    fuzz_seed_text("a,\"b \"\"c\"\"\",label\r\n0.1,2,3\r\n3,4e-3,-1\r\n");
}

static void write_file(const uint8_t *bytes, size_t size)
{
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size,
            "the file in memory cannot be written");
}

/* ---- reading -------------------------------------------------------------------------- */

/* What came of reading a file: *size bytes at `out` before it ended or was refused. */
typedef struct outcome {
    imsat_status status;
    imsat_error err;
    size_t size;
    bool whole; /* the end was reached */
} outcome;

/* As readers of data do: the first bytes are there, what follows comes in pieces. */
static void read_pieces(outcome *o, uint8_t *out)
{
    im_bytes bytes = {0};
    size_t got = PIECE;
    *o = (outcome){.size = 0};
    o->status = im_bytes_open(&bytes, path, &o->err);
    if (o->status == IMSAT_OK) {
        memcpy(out, bytes.data, bytes.size);
        o->size = bytes.size;
    } else {
        REQUIRE(!bytes.data, "bytes after a failure");
    }
    while (o->status == IMSAT_OK && got == PIECE && o->size + PIECE <= ROOM) {
        o->status = im_bytes_read(&bytes, out + o->size, PIECE, &got, &o->err);
        o->size += o->status == IMSAT_OK ? got : 0;
    }
    o->whole = got < PIECE;
    im_bytes_clear(&bytes);
    if (o->status != IMSAT_OK)
        fuzz_refused(o->status, &o->err, path);
}

/* The first bytes, up to FEW, `step` at a time. */
static void read_steps(outcome *o, uint8_t *out, size_t step)
{
    im_unpack *stream = NULL;
    size_t got = step;
    *o = (outcome){.size = 0};
    o->status = im_unpack_open(&stream, file, path, &o->err);
    while (o->status == IMSAT_OK && got == step && o->size + step <= FEW) {
        o->status = im_unpack_read(stream, out + o->size, step, &got, &o->err);
        o->size += o->status == IMSAT_OK ? got : 0;
    }
    o->whole = got < step;
    im_unpack_free(stream);
}

/* ---- what is compressed ------------------------------------------------------------- */

/* libzstd compares the size that a frame declares with what it holds; but not if the frame
 * ends with an empty block and is read bit by bit. */
static bool declares_wrongly(const outcome *o)
{
    return strstr(o->err.message, "zstd") && strstr(o->err.message, "corruption");
}

/* Of equal beginning, up to a number: "after N bytes" is not always known when a library
 * fails. */
static bool same_message(const outcome *a, const outcome *b)
{
    const size_t length = strcspn(a->err.message + strlen(path), "0123456789");
    return strncmp(a->err.message, b->err.message, strlen(path) + length) == 0;
}

/* What was read a few bytes at a time is the same as far as it goes. */
static void check_steps(const outcome *steps, const uint8_t *bytes, const outcome *pieces,
                        const uint8_t *others)
{
    if (steps->status == IMSAT_OK && !steps->whole && pieces->status != IMSAT_OK)
        return; /* damaged later */
    REQUIRE(steps->status == pieces->status &&
                (steps->status == IMSAT_OK || same_message(steps, pieces)),
            "'%s' or '%s', by how much is read at a time", steps->err.message,
            pieces->err.message);
    if (steps->status != IMSAT_OK)
        return;
    REQUIRE(steps->size <= pieces->size && (!steps->whole || steps->size == pieces->size) &&
                memcmp(bytes, others, steps->size) == 0,
            "%zu bytes or %zu others, by how much is read at a time", steps->size,
            pieces->size);
}

static bool run_packed(const uint8_t *input, size_t size)
{
    static uint8_t found[ROOM], others[ROOM];
    outcome pieces, steps;
    size_t total = 0;
    write_file(input, size);
    read_pieces(&pieces, found);
    read_steps(&steps, others, 1 + size % 61);
    if (declares_wrongly(&pieces) || declares_wrongly(&steps))
        return false;
    check_steps(&steps, others, &pieces, found);
    if (pieces.status != IMSAT_OK)
        return false;
    if (pieces.whole) {
        const bool zstd = input[0] != 0x1f && input[0] != 0xfd && input[0] != 'B';
        const bool accepted = unpackers_unpack(others, ROOM, &total, input, size);
        REQUIRE(accepted || zstd, "accepted, but not by its library");
        REQUIRE(!accepted || (total == pieces.size && memcmp(found, others, total) == 0),
                "%zu bytes are not the %zu that its library finds", pieces.size, total);
    }
    return true;
}

/* ---- what is not ---------------------------------------------------------------------- */

/* The file as data, with a column of labels. NULL: it was refused. */
static imsat_data *open_data(imsat_status *status)
{
    const imsat_data_options options = {.label_column = "-1"};
    const char *const paths[] = {path};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    *status = imsat_data_open(&data, paths, 1, &options, &err);
    if (*status == IMSAT_ENOMEM) /* that is what the limit says */
        REQUIRE(strstr(err.message, path) && strstr(err.message, "--max-unpacked"), "%s",
                err.message);
    else if (*status != IMSAT_OK)
        fuzz_refused(*status, &err, path);
    return data;
}

static void check_same(const imsat_data *one, const imsat_data *two)
{
    static float x[LONG], y[LONG];
    const size_t rows = imsat_data_rows(one), dim = imsat_data_dim(one);
    const size_t room = LONG / dim,
                 some = rows < room ? rows : room; /* sparse rows can be wide */
    REQUIRE(rows == imsat_data_rows(two) && dim == imsat_data_dim(two),
            "%zu x %zu, and compressed %zu x %zu", rows, dim, imsat_data_rows(two),
            imsat_data_dim(two));
    REQUIRE(imsat_data_read(one, 0, some, x, NULL) == IMSAT_OK &&
                imsat_data_read(two, 0, some, y, NULL) == IMSAT_OK &&
                memcmp(x, y, some * dim * sizeof *x) == 0 &&
                memcmp(imsat_data_labels(one), imsat_data_labels(two),
                       rows * sizeof(int32_t)) == 0,
            "compressed, it has other values");
}

static bool run_plain(const packer *by, const uint8_t *input, size_t size)
{
    static uint8_t packed[ROOM], found[ROOM];
    imsat_status plain_status, packed_status;
    outcome pieces;
    write_file(input, size);
    imsat_data *plain = open_data(&plain_status);
    write_file(packed, by->pack(packed, sizeof packed, input, size));
    read_pieces(&pieces, found);
    REQUIRE(pieces.status == IMSAT_OK && pieces.size == size &&
                memcmp(found, input, size) == 0,
            "%zu bytes that were compressed are %zu others", size, pieces.size);
    imsat_data *unpacked = open_data(&packed_status);
    REQUIRE(plain_status == packed_status ||
                (plain_status != IMSAT_OK && packed_status == IMSAT_ENOMEM),
            "it is '%s', and compressed '%s'", imsat_status_name(plain_status),
            imsat_status_name(packed_status));
    if (plain)
        check_same(plain, unpacked);
    imsat_data_free(plain);
    imsat_data_free(unpacked);
    return plain != NULL;
}

static bool run(const uint8_t *input, size_t size)
{
    static uint8_t repeated[LONG];
    size_t length = 0;
    if (size == 0 || im_unpack_knows(input, size))
        return size > 0 && run_packed(input, size);
    const uLong draw = crc32(0, input, (unsigned)size);
    const packer *by = &packers[draw % 8 ? 0 : draw / 8 % packer_count]; /* gzip is fast */
    if (draw / 64 % SELDOM)
        return run_plain(by, input, size);
    for (; length + size <= LONG; length += size)
        memcpy(repeated + length, input, size);
    return run_plain(by, repeated, length);
}

/* The CRC of gzip is made right most of the time. */
static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    size = LLVMFuzzerMutate(input, size, room);
    if (fuzz_below(8))
        unpackers_correct_gzip(input, size);
    return size;
}

const fuzz_target fuzz_this = {"packed", MOST, begin, run, mutate};
