/* SPDX-License-Identifier: MIT
 * Files of codes: what is read has nothing behind its last bit, and is what is read of
 * it written again. */
#include "imsat/search.h"
#include "rows.h"

#include <string.h>

static void begin(void)
{
    rows_seed_npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 3), }\n", 15);
    rows_seed_npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (5, 3), }\n", 15);
    rows_seed_npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 128)}", 128);
    rows_seed_npy(3, "{'descr': '|u1', 'fortran_order': False, 'shape': (9, 1)}", 9);
    rows_seed_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 5)}", 15);
    fuzz_seed_text("bit0,bit1,bit2\n0,1,1\n1,0,0\n");
}

/* Write the codes most significant bit first, and read them. */
static void check_written(const imsat_codes *codes, imsat_error *err)
{
    const char *path = "again.npy";
    const imsat_codes_options options = {codes->bits, IMSAT_MSB_FIRST};
    const size_t width = imsat_code_bytes(codes->bits);
    imsat_npy *file = NULL;
    imsat_codes again = {0};
    fuzz_succeeded(imsat_npy_create(&file, path, IMSAT_NPY_UINT8, codes->rows, width, err),
                   err);
    fuzz_succeeded(imsat_npy_append(file, codes->bytes, codes->rows, err), err);
    fuzz_succeeded(imsat_npy_commit(file, err), err);
    imsat_npy_free(file);
    fuzz_succeeded(imsat_codes_read(&again, &path, 1, &options, err), err);
    REQUIRE(again.rows == codes->rows && again.bits == codes->bits &&
                memcmp(again.bytes, codes->bytes, codes->rows * width) == 0,
            "what is written is not what is read");
    imsat_codes_clear(&again);
}

static bool read_codes(imsat_codes_options options, size_t size)
{
    const char *path = "fuzzed.codes";
    imsat_codes codes = {0};
    imsat_error err = {{0}};
    const imsat_status st = imsat_codes_read(&codes, &path, 1, &options, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!codes.bytes, "codes after a failure");
        fuzz_refused(st, &err, path);
        return false;
    }
    const size_t width = imsat_code_bytes(codes.bits);
    REQUIRE(codes.rows > 0 && codes.bits > 0 && codes.bits <= IMSAT_MAX_BITS &&
                codes.rows * width <= size && (!options.bits || options.bits == codes.bits),
            "%zu codes of %zu bits from %zu bytes", codes.rows, codes.bits, size);
    for (size_t i = 1; codes.bits % 8 && i <= codes.rows; i++)
        REQUIRE((codes.bytes[i * width - 1] & 0xffU >> codes.bits % 8) == 0,
                "code %zu has bits behind the last", i - 1);
    check_written(&codes, &err);
    imsat_codes_clear(&codes);
    return true;
}

static bool run(const uint8_t *input, size_t size)
{
    static const imsat_codes_options options[] = {
        {0, IMSAT_MSB_FIRST}, {21, IMSAT_LSB_FIRST}, {24, IMSAT_LSB_FIRST}, {1021, 0}};
    bool accepted = false;
    fuzz_file_put("fuzzed.codes", input, size);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        accepted |= read_codes(options[i], size);
    return accepted;
}

const fuzz_target fuzz_this = {"codes", ROWS_MOST / 2, begin, run, NULL};
