/* SPDX-License-Identifier: MIT
 *
 * HDF5 files as data, those of MATLAB 7.3 among them, by the file's own name and by that of a
 * dataset. The seeds are what h5py wrote.
 *
 * libhdf5 is trusted with the structure of a file: 1.10.8 crashes on some where it was changed
 * (in H5Lvisit(), a length that is not what it must be). So an input is not a file but what is
 * done to one: which file, where it ends, what its first bytes are, what is behind it, and its
 * values. Files that were mutated themselves reached the structure in the end, by being cut,
 * changed at their new end and made longer again. */
#include "rows.h"

#include "imsat/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64,        /* bytes of an input */
    MOST_FILE = 4096, /* of the file that is made of it */
    FILES = 4,
    SIGNATURE = 8,
    VALUES = 21 /* bytes behind the structure of each file: its values */
};

static struct {
    uint8_t bytes[MOST_FILE];
    size_t size;
} files[FILES];

/* libhdf5 1.10.8 does not free all it has allocated when it refuses a file. What it keeps is
 * small, and no other library has a leak suppressed. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* What begins an input; what is put somewhere follows. */
typedef struct change {
    uint8_t file, kind;
    uint8_t at[2]; /* where, the low byte first */
} change;

enum { CUT, SIGN, GROW, SET_VALUES, KINDS };

static void load(size_t i, const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "%s is not there", path);
    files[i].size = fread(files[i].bytes, 1, MOST_FILE, file);
    REQUIRE(files[i].size < MOST_FILE, "%s is too large", path);
    fclose(file);
    const change as_it_is = {(uint8_t)i, SET_VALUES, {0}};
    fuzz_seed(&as_it_is, sizeof as_it_is);
}

static void begin(void)
{
    if (!IM_HAVE_HDF5)
        exit(77); /* skipped */
    imsat_set_max_unpacked(1 << 20);
    fuzz_allow((1 << 20) + 10 * MOST_FILE, 1);
    load(0, IMSAT_SOURCE "/tests/data/plain.h5");
    load(1, IMSAT_SOURCE "/tests/data/block.h5");
    load(2, IMSAT_SOURCE "/tests/data/chunks.h5");
    load(3, IMSAT_SOURCE "/tests/data/plain73.mat");
}

/* Whether what is read fits fuzz_rows, and is not refused for what it would take. */
static bool is_small(const char *path)
{
    imsat_data *data = NULL;
    imsat_error err;
    const imsat_status st = imsat_data_open(&data, &path, 1, NULL, &err);
    const bool small = st == IMSAT_OK
                           ? imsat_data_rows(data) * imsat_data_dim(data) <= ROWS_MOST
                           : st != IMSAT_ENOMEM || !strstr(err.message, "--max-unpacked");
    imsat_data_free(data);
    return small;
}

/* The file that an input describes; its size. */
static size_t make_file(uint8_t *out, const uint8_t *input, size_t input_size)
{
    change c = {0, SET_VALUES, {0}};
    const size_t head = input_size < sizeof c ? input_size : sizeof c;
    memcpy(&c, input, head);
    const uint8_t *put = input + head;
    const size_t count = input_size - head;
    const size_t file = c.file % FILES, at = c.at[0] + 256u * c.at[1], size = files[file].size;
    memcpy(out, files[file].bytes, size);
    switch (c.kind % KINDS) {
    case CUT: return at % (size + 1);
    case SIGN: memcpy(out, put, count < SIGNATURE ? count : SIGNATURE); return size;
    case GROW: {
        const size_t grown = size + at % (MOST_FILE - size + 1), room = grown - size;
        memset(out + size, 0, room);
        memcpy(out + size, put, count < room ? count : room);
        return grown;
    }
    default: memcpy(out + size - VALUES, put, count < VALUES ? count : VALUES); return size;
    }
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const paths[] = {"x.h5", "x.h5:rows"};
    static fuzz_rows r;
    static uint8_t bytes[MOST_FILE];
    bool accepted = false;
    fuzz_file_put("x.h5", bytes, make_file(bytes, input, size));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (is_small(paths[i]))
            accepted |= rows_read(&r, paths[i], ROWS_MOST, NULL);
    return accepted;
}

const fuzz_target fuzz_this = {"hdf5", MOST, begin, run, NULL};
