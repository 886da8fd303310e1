/* SPDX-License-Identifier: MIT
 *
 * tar archives: members that are handed over lie in the archive, one behind the other, and
 * have names. The mutator corrects the sums of headers. */
#include "data/archive.h"

#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 512, MOST = 16 * BLOCK };

static uint8_t archive[MOST];
static size_t archive_size;

static void correct_sum(uint8_t *header)
{
    char sum[8];
    unsigned total = 8U * ' ';
    for (size_t i = 0; i < BLOCK; i++)
        total += i >= 148 && i < 156 ? 0 : header[i];
    snprintf(sum, sizeof sum, "%06o", total);
    memcpy(header + 148, sum, sizeof sum);
}

static void add(char type, const char *name, const char *text)
{
    uint8_t *header = archive + archive_size;
    memset(header, 0, (size_t)2 * BLOCK);
    memcpy(header, name, strlen(name));
    snprintf((char *)header + 124, 12, "%011o", (unsigned)strlen(text));
    header[156] = (uint8_t)type;
    memcpy(header + 257, "ustar", 6);
    correct_sum(header);
    memcpy(header + BLOCK, text, strlen(text));
    archive_size += *text ? (size_t)2 * BLOCK : BLOCK;
}

static void begin(void)
{
    add('5', "cats/", "");
    add('0', "cats/1", "one");
    add('L', "long", "a/much/longer/name");
    add('0', "cut", "two");
    add('x', "pax", "15 path=dogs/3\n");
    add('0', "cut", "three");
    fuzz_seed(archive, archive_size);
    memset(archive + archive_size, 0, (size_t)2 * BLOCK);
    fuzz_seed(archive, archive_size + (size_t)2 * BLOCK);
}

/* The input, and where the last member ended. */
typedef struct visit {
    const uint8_t *input, *end, *at;
} visit;

static imsat_status take(void *context, const im_member *member, imsat_error *err)
{
    visit *v = context;
    (void)err;
    REQUIRE(*member->name && member->name[strlen(member->name) - 1] != '/',
            "a member without a name");
    if (member->size == 0)
        return IMSAT_OK;
    REQUIRE(member->data >= v->at && member->size <= (size_t)(v->end - member->data),
            "a member outside of the archive");
    v->at = member->data + member->size;
    return IMSAT_OK;
}

/* One file of the archive, if it is there. */
static void enter(const uint8_t *input, size_t size, const char *path)
{
    imsat_error err = {{0}};
    im_bytes bytes = {.data = input, .size = size};
    const imsat_status st = im_archive_enter(&bytes, path, "a/much/longer/name", &err);
    if (st == IMSAT_OK)
        REQUIRE(bytes.size > 0 && bytes.size <= size && bytes.heap, "%zu bytes", bytes.size);
    else
        fuzz_refused(st, &err, path);
    im_bytes_clear(&bytes);
}

static bool run(const uint8_t *input, size_t size)
{
    const char *path = "fuzzed.tar";
    imsat_error err = {{0}};
    im_bytes bytes = {.data = input, .size = size};
    visit v = {input, input + size, input};
    if (!im_tar_holds(&bytes))
        return false;
    const imsat_status st = im_tar_each(&bytes, path, take, &v, &err);
    if (st != IMSAT_OK)
        fuzz_refused(st, &err, path);
    enter(input, size, path);
    return st == IMSAT_OK;
}

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    size = LLVMFuzzerMutate(input, size, room);
    for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
        if (memcmp(input + at + 257, "ustar", 5) == 0 && fuzz_below(8))
            correct_sum(input + at);
    return size;
}

const fuzz_target fuzz_this = {"tar", MOST, begin, run, mutate};
