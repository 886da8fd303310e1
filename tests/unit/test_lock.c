/* SPDX-License-Identifier: MIT
 * One holds the lock of a file, of the one that has the name now; the others are told. */
#define _POSIX_C_SOURCE 200809L
#include "core/lock.h"

#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int take(const char *path, im_lock_use use)
{
    imsat_error err;
    int fd = -2;
    assert_ok(im_lock_take(&fd, path, use, &err), &err);
    return fd;
}

static void assert_busy(const char *path, im_lock_use use)
{
    imsat_error err;
    int fd = -2;
    assert_refused(im_lock_take(&fd, path, use, &err), &err, IMSAT_EBUSY,
                   "file: is being changed by another process; try again");
    assert_int_equal(fd, -2);
}

static void one_has_it_and_the_others_are_told(void **state)
{
    (void)state;
    const char *path = in_folder("file");
    write_file(path, "x", 1);
    const int fd = take(path, IM_LOCK_CHANGE);
    assert_int_equal(pwrite(fd, "y", 1, 0), 1);
    assert_busy(path, IM_LOCK_CHANGE);
    assert_busy(path, IM_LOCK_REPLACE);
    im_lock_drop(fd);
    im_lock_drop(take(path, IM_LOCK_REPLACE));
    im_lock_drop(take(path, IM_LOCK_CHANGE));
    im_lock_drop(-1);
}

/* The lock ends with its process, however that ends. */
static void a_killed_process_holds_nothing(void **state)
{
    (void)state;
    const char *path = in_folder("file");
    int ready[2];
    char byte;
    write_file(path, "x", 1);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int held;
        _exit(im_lock_take(&held, path, IM_LOCK_CHANGE, NULL) == IMSAT_OK &&
                      write(ready[1], "", 1) == 1
                  ? pause()
                  : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    int fd = -1;
    const imsat_status meanwhile = im_lock_take(&fd, path, IM_LOCK_CHANGE, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(meanwhile, IMSAT_EBUSY);
    im_lock_drop(take(path, IM_LOCK_CHANGE));
    close(ready[0]);
    close(ready[1]);
}

/* Another thread gives the name to other files all the time. Whoever has the lock has that of
 * the file with the name, or somebody would have renamed without it. */
typedef struct renamer {
    char path[256], other[256];
    atomic_bool stop;
} renamer;

static void *rename_on_and_on(void *context)
{
    renamer *r = context;
    while (!atomic_load(&r->stop)) {
        int fd;
        write_file(r->other, "z", 1);
        if (im_lock_take(&fd, r->path, IM_LOCK_REPLACE, NULL) != IMSAT_OK)
            continue;
        rename(r->other, r->path);
        im_lock_drop(fd);
    }
    return NULL;
}

static void the_file_with_the_name_is_locked(void **state)
{
    (void)state;
    renamer r = {.stop = false};
    pthread_t thread;
    int wrong = 0;
    snprintf(r.path, sizeof r.path, "%s", in_folder("file"));
    snprintf(r.other, sizeof r.other, "%s", in_folder("other"));
    write_file(r.path, "x", 1);
    assert_int_equal(pthread_create(&thread, NULL, rename_on_and_on, &r), 0);
    for (int had = 0; had < 5000;) {
        struct stat held, named;
        int fd;
        if (im_lock_take(&fd, r.path, IM_LOCK_CHANGE, NULL) != IMSAT_OK)
            continue;
        for (int i = 0; i < 20; i++)
            wrong += fstat(fd, &held) != 0 || stat(r.path, &named) != 0 ||
                     held.st_ino != named.st_ino || held.st_dev != named.st_dev;
        im_lock_drop(fd);
        had++;
    }
    atomic_store(&r.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(wrong, 0);
}

static void what_is_not_there_or_not_a_file(void **state)
{
    (void)state;
    imsat_error err;
    int fd = -2;
    assert_int_equal(take(in_folder("none"), IM_LOCK_REPLACE), -1);
    assert_refused(im_lock_take(&fd, in_folder("none"), IM_LOCK_CHANGE, &err), &err, IMSAT_EIO,
                   "none: No such file");
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
    assert_int_equal(take(in_folder("fifo"), IM_LOCK_REPLACE), -1);
    assert_refused(im_lock_take(&fd, in_folder("fifo"), IM_LOCK_CHANGE, &err), &err, IMSAT_EIO,
                   "fifo: is not a regular file");
    assert_int_equal(fd, -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_has_it_and_the_others_are_told),
        cmocka_unit_test(a_killed_process_holds_nothing),
        cmocka_unit_test(the_file_with_the_name_is_locked),
        cmocka_unit_test(what_is_not_there_or_not_a_file),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
