/* SPDX-License-Identifier: MIT
 * Mutated safetensors files: each is read, and every byte of its tensors can be touched, or it
 * is refused with IMSAT_EFORMAT. The argument is the number of mutations. */
#include "data/safetensors.h"

#include "core/rng.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 2048 };

static unsigned long mutations = 1000;

/* Bytes that change the meaning of a header more often than random ones do. */
static const char TELLING[] = "{}[]\",:0129-.eE \\u\xff";

static size_t make_seed_file(unsigned char *bytes)
{
    imsat_error err;
    im_safetensors file = {0};
    const float weights[6] = {1, 2, 3, 4, 5, 6};
    const int64_t counts[2] = {7, 8};
    const size_t shape[] = {2, 3}, length[] = {2};
    assert_ok(im_safetensors_set(&file, "k", "10", &err), &err);
    assert_ok(im_safetensors_add(&file, "w", IM_TENSOR_F32, weights, 2, shape, &err), &err);
    assert_ok(im_safetensors_add(&file, "n", IM_TENSOR_I64, counts, 1, length, &err), &err);
    assert_ok(im_safetensors_write(&file, in_folder("seed"), &err), &err);
    im_safetensors_clear(&file);
    return read_file(in_folder("seed"), bytes, ROOM);
}

/* Change up to four bytes, or cut the file, or repeat a part of it. */
static size_t mutate(unsigned char *bytes, size_t size, uint32_t number)
{
    uint32_t word[4];
    const im_rng rng = {2017, IM_STREAM_INIT, 0, 0};
    im_rng_block(word, rng, number, 0);
    const uint32_t edits = 1 + word[0] % 4;
    for (uint32_t i = 0; i < edits; i++) {
        uint32_t edit[4];
        im_rng_block(edit, rng, number, 1 + i);
        const unsigned char telling = (unsigned char)TELLING[edit[1] % (sizeof TELLING - 1)];
        bytes[edit[0] % size] = edit[2] % 3 ? telling : (unsigned char)edit[3];
    }
    if (word[1] % 8 == 0)
        return word[2] % (size + 1);
    if (word[1] % 8 == 1) {
        const size_t from = word[2] % size, count = word[3] % (size - from);
        memmove(bytes + from + count, bytes + from, size - from);
        return size + count;
    }
    return size;
}

static unsigned sum_of_bytes(const im_safetensors *file)
{
    static const size_t width[] = {
        [IM_TENSOR_F32] = 4, [IM_TENSOR_F64] = 8, [IM_TENSOR_I32] = 4, [IM_TENSOR_I64] = 8,
        [IM_TENSOR_U8] = 1,  [IM_TENSOR_U32] = 4, [IM_TENSOR_U64] = 8};
    unsigned sum = 0;
    for (size_t t = 0; t < file->count; t++) {
        size_t bytes = width[file->tensors[t].type];
        for (size_t i = 0; i < file->tensors[t].dims; i++)
            bytes *= file->tensors[t].shape[i];
        for (size_t i = 0; i < bytes; i++)
            sum += ((const unsigned char *)file->tensors[t].data)[i];
    }
    return sum;
}

static void mutated_files_are_read_or_refused(void **state)
{
    (void)state;
    unsigned char seed[ROOM], bytes[2 * ROOM];
    const size_t size = make_seed_file(seed);
    unsigned long read = 0;
    unsigned touched = 0; /* printed, so that every byte is really read */
    for (unsigned long i = 0; i < mutations; i++) {
        imsat_error err = {{0}};
        im_safetensors file = {0};
        memcpy(bytes, seed, size);
        const size_t mutated = mutate(bytes, size, (uint32_t)i);
        write_file(in_folder("mutant"), bytes, mutated);
        const imsat_status st = im_safetensors_read(&file, in_folder("mutant"), &err);
        if (st == IMSAT_OK) {
            touched += sum_of_bytes(&file);
            read++;
        } else if (st != IMSAT_EFORMAT || !strstr(err.message, "mutant: ")) {
            fail_msg("mutation %lu: %s: %s", i, imsat_status_name(st), err.message);
        }
        im_safetensors_clear(&file);
    }
    print_message("%lu of %lu mutants were read, bytes sum to %u\n", read, mutations, touched);
    assert_true(read < mutations);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutated_files_are_read_or_refused),
    };
    if (argc > 1)
        mutations = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("fuzz safetensors", tests, folder_setup,
                                       folder_teardown);
}
