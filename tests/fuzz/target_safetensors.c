/* SPDX-License-Identifier: MIT
 * safetensors files: every byte of the tensors can be read, they tile the file, names and keys
 * differ, and a file written from what was read is the same once more. */
#include "data/safetensors.h"

#include "rows.h"
#include "tensors.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 2048 };

static const size_t WIDTH[] = {
    [IM_TENSOR_F32] = 4, [IM_TENSOR_F64] = 8, [IM_TENSOR_I32] = 4, [IM_TENSOR_I64] = 8,
    [IM_TENSOR_U8] = 1,  [IM_TENSOR_U32] = 4, [IM_TENSOR_U64] = 8, [IM_TENSOR_BOOL] = 1,
    [IM_TENSOR_I8] = 1,  [IM_TENSOR_I16] = 2, [IM_TENSOR_U16] = 2, [IM_TENSOR_F16] = 2,
    [IM_TENSOR_BF16] = 2};

static void begin(void)
{
    imsat_error err;
    im_safetensors file = {0};
    const float weights[6] = {1, 2, 3, 4, 5, 6};
    const int64_t counts[2] = {7, 8};
    const uint8_t bytes[3] = {9, 10, 11};
    const size_t shape[] = {2, 3}, two[] = {2}, three[] = {3, 1, 1, 1}, none[] = {0};
    fuzz_succeeded(im_safetensors_write(&file, "seed", &err), &err);
    fuzz_seed_file("seed");
    fuzz_succeeded(im_safetensors_set(&file, "k", "10", &err), &err);
    fuzz_succeeded(im_safetensors_set(&file, "a", "\xc3\xa9", &err), &err);
    fuzz_succeeded(im_safetensors_add(&file, "w", IM_TENSOR_F32, weights, 2, shape, &err),
                   &err);
    fuzz_succeeded(im_safetensors_add(&file, "b", IM_TENSOR_U8, bytes, 4, three, &err), &err);
    fuzz_succeeded(im_safetensors_add(&file, "n", IM_TENSOR_I64, counts, 1, two, &err), &err);
    fuzz_succeeded(im_safetensors_add(&file, "e", IM_TENSOR_F64, NULL, 1, none, &err), &err);
    fuzz_succeeded(im_safetensors_write(&file, "seed", &err), &err);
    fuzz_seed_file("seed");
    im_safetensors_clear(&file);
}

static size_t bytes_of(const im_tensor *tensor)
{
    size_t bytes = WIDTH[tensor->type];
    for (size_t d = 0; d < tensor->dims; d++)
        bytes *= tensor->shape[d];
    return bytes;
}

static void check_tensors(const im_safetensors *file, size_t size)
{
    static volatile unsigned touched; /* so that every byte is really read */
    size_t total = 0;
    for (size_t t = 0; t < file->count; t++) {
        const im_tensor *tensor = &file->tensors[t], *found = NULL;
        const uint8_t *data = tensor->data;
        const size_t bytes = bytes_of(tensor);
        REQUIRE((uintptr_t)data % WIDTH[tensor->type] == 0, "'%s' is not aligned",
                tensor->name);
        for (size_t i = 0; i < bytes; i++)
            touched = touched + data[i];
        REQUIRE(im_safetensors_get(&found, file, "path", tensor->name, tensor->type,
                                   tensor->dims, tensor->shape, NULL) == IMSAT_OK &&
                    found == tensor,
                "'%s' is not found, or is there twice", tensor->name);
        total += bytes;
    }
    REQUIRE(total <= size, "%zu bytes of tensors in %zu", total, size);
}

static void check_entries(const im_safetensors *file)
{
    for (size_t i = 0; i < file->entries; i++)
        REQUIRE(im_safetensors_value(file, file->keys[i]) == file->values[i] &&
                    (!i || strcmp(file->keys[i - 1], file->keys[i]) < 0),
                "'%s' is there twice, or out of order", file->keys[i]);
}

/* The bytes that the file is written as. */
static const uint8_t *write_file(const im_safetensors *file, const char *path, size_t *size)
{
    imsat_error err;
    fuzz_succeeded(im_safetensors_write(file, path, &err), &err);
    return fuzz_file_get(path, size);
}

static void check_written(const im_safetensors *file)
{
    im_safetensors again = {0};
    imsat_error err;
    size_t size = 0, size_again = 0;
    const uint8_t *bytes = write_file(file, "again", &size);
    fuzz_succeeded(im_safetensors_read(&again, "again", &err), &err);
    REQUIRE(again.count == file->count && again.entries == file->entries,
            "what is written is not what is read");
    const uint8_t *bytes_again = write_file(&again, "once more", &size_again);
    REQUIRE(size == size_again && memcmp(bytes, bytes_again, size) == 0,
            "a file that is read and written is another");
    im_safetensors_clear(&again);
}

/* A tensor, or the only one, as data. */
static void check_data(const char *path, const uint8_t *input, size_t size)
{
    static fuzz_rows rows;
    char inside[32];
    fuzz_files_clear();
    fuzz_file_put(path, input, size);
    rows_read(&rows, path, size, NULL);
    snprintf(inside, sizeof inside, "%s:b", path);
    rows_read(&rows, inside, size, NULL);
}

static bool run(const uint8_t *input, size_t size)
{
    imsat_error err = {{0}};
    im_safetensors file = {0};
    fuzz_file_put("fuzzed.tensors", input, size);
    const imsat_status st = im_safetensors_read(&file, "fuzzed.tensors", &err);
    if (st != IMSAT_OK) {
        REQUIRE(!file.tensors && !file.keys && !file.bytes.data, "a file after a failure");
        fuzz_refused(st, &err, "fuzzed.tensors");
        return false;
    }
    check_tensors(&file, size);
    check_entries(&file);
    check_written(&file);
    check_data("fuzzed.tensors", input, size);
    im_safetensors_clear(&file);
    return true;
}

const fuzz_target fuzz_this = {"safetensors", MOST, begin, run, tensors_mutate};
