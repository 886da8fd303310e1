/* SPDX-License-Identifier: MIT
 * See seal.h. */
#include "data/seal.h"

#include "core/alloc.h"
#include "core/checksum.h"

#include <inttypes.h>
#include <stdio.h>

enum { DIGITS = 16, PIECE = 1 << 20 };

typedef struct entry {
    const char *key, *value;
} entry;

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->key, ((const entry *)b)->key);
}

static void add_text(im_checksum *sum, const char *text)
{
    im_checksum_add(sum, text, strlen(text) + 1);
}

/* The entries but the seal itself. sorted (file->entries) is scratch. */
static void add_entries(im_checksum *sum, const im_safetensors *file, entry *sorted)
{
    for (size_t i = 0; i < file->entries; i++)
        sorted[i] = (entry){file->keys[i], file->values[i]};
    if (file->entries)
        qsort(sorted, file->entries, sizeof *sorted, compare_entries);
    for (size_t i = 0; i < file->entries; i++) {
        if (strcmp(sorted[i].key, IM_SEAL_KEY) == 0)
            continue;
        add_text(sum, sorted[i].key);
        add_text(sum, sorted[i].value);
    }
}

/* Some bytes at a time, so that of a mapped file few are held if memory is limited. */
static void add_tensor(im_checksum *sum, const im_safetensors *file, const im_tensor *tensor)
{
    const size_t size = im_safetensors_bytes(tensor);
    for (size_t at = 0; at < size; at += PIECE) {
        const unsigned char *piece = (const unsigned char *)tensor->data + at;
        const size_t count = im_size_min(size - at, PIECE);
        im_checksum_add(sum, piece, count);
        im_bytes_touched(&file->bytes, piece, count);
    }
}

static imsat_status compute(char text[DIGITS + 1], const im_safetensors *file,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_checksum *sum = NULL;
    entry *sorted = im_alloc(file->entries, sizeof *sorted);
    if (!sorted)
        return im_fail_memory(err, "a checksum");
    IM_TRY(im_checksum_new(&sum, err));
    add_entries(sum, file, sorted);
    for (size_t i = 0; i < file->count; i++)
        add_tensor(sum, file, &file->tensors[i]);
    snprintf(text, DIGITS + 1, "%016" PRIx64, im_checksum_value(sum));

cleanup:
    im_checksum_free(sum);
    im_free(sorted);
    return st;
}

imsat_status im_seal_set(im_safetensors *file, imsat_error *err)
{
    char text[DIGITS + 1];
    const imsat_status st = compute(text, file, err);
    return st == IMSAT_OK ? im_safetensors_set(file, IM_SEAL_KEY, text, err) : st;
}

imsat_status im_seal_check(const im_safetensors *file, const char *path, imsat_error *err)
{
    const char *stated = im_safetensors_value(file, IM_SEAL_KEY);
    char text[DIGITS + 1];
    const imsat_status st = compute(text, file, err);
    if (st != IMSAT_OK || (stated && strcmp(stated, text) == 0))
        return st;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: its bytes are not those that were written: their checksum is %s, not "
                   "%.20s",
                   path, text, stated ? stated : "stated");
}
