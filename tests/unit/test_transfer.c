/* SPDX-License-Identifier: MIT
 * Reads and writes go on after a part, and after a signal. */
#define _GNU_SOURCE
#include "core/transfer.h"

#include "core/writer.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void places_are_read_and_written(void **state)
{
    (void)state;
    char back[8] = {0};
    size_t got;
    const int fd = open(in_folder("places"), O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_true(im_transfer_write(fd, "abcdef", 6));
    assert_true(im_transfer_write_at(fd, "XY", 2, 2));
    assert_true(im_transfer_read_at(fd, back, 3, 1, &got));
    assert_int_equal(got, 3);
    assert_memory_equal(back, "bXY", 3);
    assert_true(im_transfer_read_at(fd, back, 8, 4, &got)); /* there are two more */
    assert_int_equal(got, 2);
    assert_memory_equal(back, "ef", 2);
    assert_int_equal(lseek(fd, 5, SEEK_SET), 5);
    assert_true(im_transfer_read(fd, back, 8, &got));
    assert_int_equal(got, 1);
    close(fd);
}

static void errors_are_told(void **state)
{
    (void)state;
    char back[4];
    size_t got = 77;
    const int full = open("/dev/full", O_WRONLY), folder = open(".", O_RDONLY);
    assert_false(im_transfer_write(full, "abc", 3));
    assert_int_equal(errno, ENOSPC);
    assert_false(im_transfer_read(folder, back, 4, &got));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(got, 0);
    close(full);
    close(folder);
}

static void ignore(int number)
{
    (void)number;
}

/* Reads slowly, so that the writer waits: by 4096 bytes, with a pause before each. Returns how
 * many came. */
static size_t read_slowly(int from)
{
    static char bytes[4096];
    size_t total = 0;
    for (ssize_t got = 1; got > 0; total += (size_t)got) {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        got = read(from, bytes, sizeof bytes);
        if (got < 0)
            return 0;
    }
    return total;
}

/* A program with handlers of its own may not have asked that calls be restarted. */
static void a_signal_does_not_end_a_write(void **state)
{
    (void)state;
    enum { SIZE = 1 << 18 };
    static char bytes[SIZE];
    const struct sigaction handler = {.sa_handler = ignore};
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    struct sigaction before;
    int ends[2], status = 0;
    char path[32];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        _exit(read_slowly(ends[0]) == SIZE ? 0 : 1);
    }
    close(ends[0]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    sigaction(SIGALRM, &handler, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    imsat_error err;
    im_writer writer;
    assert_ok(im_writer_open(&writer, path, &err), &err);
    for (size_t i = 0; i < SIZE; i += 1000)
        assert_ok(im_writer_put(&writer, bytes + i, i + 1000 < SIZE ? 1000 : SIZE - i, &err),
                  &err);
    assert_ok(im_writer_commit(&writer, &err), &err);
    im_writer_clear(&writer);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The reader sees all of it, though it comes in parts. */
static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2], status = 0;
    char back[16];
    size_t got;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            im_transfer_write(ends[1], "part", 4);
        }
        _exit(0);
    }
    close(ends[1]);
    assert_true(im_transfer_read(ends[0], back, sizeof back, &got));
    assert_int_equal(got, 12);
    assert_memory_equal(back, "partpartpart", 12);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_read_and_written),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(a_signal_does_not_end_a_write),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
    };
    return cmocka_run_group_tests_name("transfer", tests, folder_setup, folder_teardown);
}
