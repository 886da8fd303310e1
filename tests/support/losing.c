/* SPDX-License-Identifier: MIT
 * See losing.h. */
#define _GNU_SOURCE
#include "losing.h"

#include "failing_alloc.h"
#include "imsat/process.h"
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At most so many moments of a call are tried: a training has hundreds. */
enum { MOST_MOMENTS = 24, SECONDS = 100 };

/* What is left of a file, and how much less: of what is in the last page, zeros are read. Less
 * by a number of bytes that is no whole number of rows. */
enum { A_PAGE_AND_A_BIT = 4096 + 100, A_LITTLE = 701 };

static unsigned char given[LOSING_ROOM], expected[LOSING_ROOM];
static size_t given_size, expected_size;
static size_t moments;   /* of the call that has ended; 0: none has */
static size_t lost_size; /* of the whole file */
static char lost_path[300];
static off_t left;

void losing_give(const void *bytes, size_t size)
{
    if (given_size + size > LOSING_ROOM)
        abort();
    memcpy(given + given_size, bytes, size);
    given_size += size;
}

void losing_end(void)
{
    moments = failing_alloc_count();
    failing_alloc_arm(0);
}

void losing_choose(const char *path, size_t size)
{
    snprintf(lost_path, sizeof lost_path, "%s", path);
    left = (off_t)size;
}

void losing_lose(void)
{
    if (truncate(lost_path, left) != 0)
        abort();
}

losing_end_kind losing_judge(imsat_status st, const imsat_error *err)
{
    if (st == IMSAT_OK)
        return given_size == expected_size && memcmp(given, expected, given_size) == 0
                   ? LOSING_RIGHT
                   : LOSING_WRONG;
    if (!strstr(err->message, lost_path))
        return LOSING_UNCLEAR;
    return strstr(err->message, "became shorter while it was read") && st == IMSAT_EIO
               ? LOSING_SHORTER
               : LOSING_REFUSED;
}

typedef struct attempt {
    const losing_call *call;
    size_t moment; /* 0: before the call; k: in its k-th allocation */
} attempt;

static int try_once(const void *context)
{
    const attempt *a = context;
    imsat_error err = {{0}};
    alarm(SECONDS);
    imsat_guard_maps();
    given_size = 0;
    if (a->call->open)
        a->call->open();
    if (a->moment == 0)
        losing_lose();
    else
        failing_alloc_call(a->moment, losing_lose);
    const imsat_status st = a->call->run(&err);
    failing_alloc_arm(0);
    const losing_end_kind end = losing_judge(st, &err);
    if (end >= LOSING_WRONG)
        fprintf(stderr, "%s: %s\n", imsat_status_name(st), err.message);
    return (int)end;
}

/* Without a loss: what is expected, how many allocations the call has, and the whole file. */
static size_t count_moments(const losing_call *call, unsigned char bytes[LOSING_ROOM])
{
    imsat_error err;
    given_size = 0;
    moments = 0;
    if (call->open)
        call->open();
    lost_size = read_file(lost_path, bytes, LOSING_ROOM);
    failing_alloc_arm(0);
    assert_ok(call->run(&err), &err);
    const size_t count = moments ? moments : failing_alloc_count();
    memcpy(expected, given, given_size);
    expected_size = given_size;
    if (call->close)
        call->close();
    return count;
}

static void try_all(const losing_call *call, size_t size_left)
{
    static unsigned char bytes[LOSING_ROOM];
    losing_choose(in_folder(call->file), size_left);
    const size_t count = count_moments(call, bytes);
    const size_t step = (count / MOST_MOMENTS + 1) * (SANITIZED ? 4 : 1);
    const bool there = access(lost_path, F_OK) == 0; /* or is it made by open()? */
    size_t shorter = 0;
    for (size_t k = 0; k <= count; k += step) {
        const int end = process_run(try_once, &(attempt){call, k});
        if (end < 0 || end >= LOSING_WRONG)
            fail_msg("%s, lost at %zu of %zu, %zu bytes left: %d", call->name, k, count,
                     size_left, end);
        shorter += end == LOSING_SHORTER;
        if (there)
            write_file(lost_path, bytes, lost_size);
    }
    if (shorter == 0)
        fail_msg("%s: no loss was noticed at any of %zu moments", call->name, count);
}

void losing_try(const losing_call *call)
{
    try_all(call, 0);
    if (!call->whole)
        return;
    try_all(call, A_PAGE_AND_A_BIT);
    try_all(call, lost_size - A_LITTLE);
}
