/* SPDX-License-Identifier: MIT
 *
 * HDF5 files as data, those of MATLAB 7.3 among them, by the file's own name and by that of a
 * dataset. The seeds are what h5py wrote.
 *
 * libhdf5 is trusted with the structure of a file: 1.10.8 crashes on some where it was changed
 * (in H5Lvisit(), a length that is not what it must be). So what is bent here is what we make
 * of a file: where it ends, what is in front of it, and its values. */
#include "rows.h"

#include "imsat/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

/* libhdf5 1.10.8 does not free all it has allocated when it refuses a file. What it keeps is
 * small, and no other library has a leak suppressed. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static void seed(const char *path)
{
    uint8_t bytes[MOST];
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "%s is not there", path);
    fuzz_seed(bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

static void begin(void)
{
    if (!IM_HAVE_HDF5)
        exit(77); /* skipped */
    imsat_set_max_unpacked(1 << 20);
    seed(IMSAT_SOURCE "/tests/data/plain.h5");
    seed(IMSAT_SOURCE "/tests/data/block.h5");
    seed(IMSAT_SOURCE "/tests/data/chunks.h5");
    seed(IMSAT_SOURCE "/tests/data/plain73.mat");
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

/* Bytes behind the structure of the seeds: their values. */
enum { VALUES = 21 };

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    if (size > VALUES && fuzz_below(8)) {
        LLVMFuzzerMutate(input + size - VALUES, VALUES, VALUES);
        return size;
    }
    switch (fuzz_below(3)) {
    case 0: return fuzz_below(size + 1);
    case 1:
        input[fuzz_below(size < 8 ? size : 8)] ^= (uint8_t)(1 + fuzz_below(255));
        return size;
    default: {
        const size_t more = fuzz_below(room - size + 1);
        memset(input + size, 0, more);
        return size + more;
    }
    }
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const paths[] = {"x.h5", "x.h5:rows"};
    static fuzz_rows r;
    bool accepted = false;
    fuzz_file_put("x.h5", input, size);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (is_small(paths[i]))
            accepted |= rows_read(&r, paths[i], ROWS_MOST, NULL);
    return accepted;
}

const fuzz_target fuzz_this = {"hdf5", MOST, begin, run, mutate};
