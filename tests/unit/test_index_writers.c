/* SPDX-License-Identifier: MIT
 * Processes that change an index file at the same time, and that are killed: nothing that was
 * said to be done is lost, and no reader sees half of it. */
#define _POSIX_C_SOURCE 200809L
#include "search/index.h"

#include "core/rng.h"
#include "support.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BITS = 45, WIDTH = 6 };

/* A file with an index of `rows` codes, whose first byte is 1 to 99. */
static const char *make_file(size_t rows)
{
    static uint8_t bytes[400 * WIDTH];
    imsat_error err;
    imsat_index *index = NULL;
    for (size_t i = 0; i < rows; i++)
        memcpy(bytes + i * WIDTH, (uint8_t[]){(uint8_t)(1 + i % 99), (uint8_t)(i / 99)}, 2);
    assert_ok(imsat_index_new(&index, &(imsat_codes){bytes, rows, BITS}, NULL, &err), &err);
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
    return in_folder("index");
}

static void sleep_for(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* ---- several writers -------------------------------------------------------- */

enum { WRITERS = 8, TIMES = 25, EACH = 3 };

/* Append EACH codes of TIMES own values, `writer` and the turn in their bytes. */
static int write_on_and_on(const char *path, uint8_t writer)
{
    for (uint8_t turn = 0; turn < TIMES;) {
        uint8_t bytes[EACH * WIDTH] = {0};
        const imsat_codes codes = {bytes, EACH, BITS};
        const imsat_index_change change = {.codes = &codes};
        for (uint8_t i = 0; i < EACH; i++)
            memcpy(bytes + i * WIDTH, (uint8_t[]){writer, turn, i}, 3);
        const imsat_status st = imsat_index_update(NULL, path, &change, NULL);
        if (st == IMSAT_OK)
            turn++;
        else if (st != IMSAT_EBUSY)
            return 1;
        else
            sleep_for(100000);
    }
    return 0;
}

/* Whether they are done; those that are must have ended well. */
static bool are_done(pid_t child[WRITERS])
{
    bool done = true;
    for (size_t w = 0; w < WRITERS; w++) {
        int status = -1;
        if (child[w] && waitpid(child[w], &status, WNOHANG) == child[w]) {
            assert_int_equal(status, 0);
            child[w] = 0;
        }
        done = done && !child[w];
    }
    return done;
}

/* The rows that are seen while they write: those of whole appends, and never fewer. */
static size_t watch(pid_t child[WRITERS], const char *path, size_t base)
{
    size_t seen = base;
    for (bool done = false; !done;) {
        imsat_error err;
        imsat_index *index = NULL;
        done = are_done(child);
        assert_ok(imsat_index_open(&index, path, &err), &err);
        const size_t rows = imsat_index_rows(index);
        imsat_index_free(index);
        assert_true(rows >= seen && (rows - base) % EACH == 0);
        seen = rows;
    }
    return seen;
}

/* Every code that was appended is there, once. */
static void check_codes(const char *path, size_t base)
{
    imsat_error err;
    imsat_index *index = NULL, *merged = NULL;
    size_t added = 0;
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_ok(imsat_index_delete(&merged, index, NULL, 0, &err), &err);
    assert_int_equal(merged->distinct, base + WRITERS * TIMES * EACH);
    for (size_t c = 0; c < merged->distinct; c++)
        added += (merged->codes[c] & 255) >= 100;
    assert_int_equal(added, WRITERS * TIMES * EACH);
    imsat_index_free(merged);
    imsat_index_free(index);
}

/* To a base so small that many appends merge, and to one to which few do. */
static void of_eight_writers_none_is_lost(void **state)
{
    (void)state;
    static const size_t bases[] = {10, 400};
    for (size_t b = 0; b < 2; b++) {
        const char *path = make_file(bases[b]);
        pid_t child[WRITERS];
        for (uint8_t w = 0; w < WRITERS; w++) {
            child[w] = fork();
            assert_true(child[w] >= 0);
            if (child[w] == 0)
                _exit(write_on_and_on(path, (uint8_t)(w + 100)));
        }
        assert_int_equal(watch(child, path, bases[b]), bases[b] + WRITERS * TIMES * EACH);
        check_codes(path, bases[b]);
        assert_int_equal(folder_count(), 1);
    }
}

/* ---- killed ------------------------------------------------------------------------------
 */

enum { KILLS = 60, STEP = 7 };

/* Append STEP codes again and again, and tell after each. */
static void append_and_tell(const char *path, int tell)
{
    uint8_t bytes[STEP * WIDTH] = {0};
    const imsat_codes codes = {bytes, STEP, BITS};
    const imsat_index_change change = {.codes = &codes};
    while (imsat_index_update(NULL, path, &change, NULL) == IMSAT_OK &&
           write(tell, "", 1) == 1)
        continue;
    _exit(1);
}

/* What a process has told of is there when it was killed, and at most one append more. */
static void a_killed_writer_leaves_old_or_new(void **state)
{
    (void)state;
    imsat_error err;
    const char *path = make_file(30);
    size_t rows = 30;
    for (uint32_t k = 0; k < KILLS; k++) {
        uint32_t word[4];
        char told[4096];
        int pipes[2];
        im_rng_block(word, (im_rng){7, IM_STREAM_INIT, 0, 0}, k, 0);
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            append_and_tell(path, pipes[1]);
        close(pipes[1]);
        sleep_for(word[0] %
                  10000000); /* up to 10 ms: none or some appends, merges among them */
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        size_t done = 0;
        for (ssize_t n; (n = read(pipes[0], told, sizeof told)) > 0;)
            done += (size_t)n;
        close(pipes[0]);
        imsat_index_info info;
        imsat_index *index = NULL;
        assert_ok(imsat_index_open(&index, path, &err), &err);
        const size_t more = imsat_index_rows(index) - rows;
        if (more != done * STEP && more != (done + 1) * STEP)
            fail_msg("%zu appends were told of, and there are %zu rows more", done, more);
        rows += more;
        assert_ok(imsat_index_peek(&info, path, &err), &err);
        assert_int_equal(info.rows, rows);
        imsat_index_free(index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_eight_writers_none_is_lost),
        cmocka_unit_test(a_killed_writer_leaves_old_or_new),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
