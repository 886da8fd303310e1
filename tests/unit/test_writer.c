/* SPDX-License-Identifier: MIT
 * Files are written whole or not at all, by any number of writers, and what is not a file is
 * written to as it is. tsan: threads_write_the_same_file. */
#define _GNU_SOURCE
#include "core/writer.h"

#include "failing_alloc.h"
#include "process.h"
#include "support.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65533 }; /* a user and a group that are not ours */

static void assert_content(const char *path, const char *expected)
{
    char content[64] = {0};
    read_file(path, content, sizeof content - 1);
    assert_string_equal(content, expected);
}

/* Write a whole file. */
static imsat_status write_text(const char *path, const char *text, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    IM_TRY(im_writer_open(&writer, path, err));
    IM_TRY(im_writer_put(&writer, text, strlen(text), err));
    IM_TRY(im_writer_commit(&writer, err));
cleanup:
    im_writer_clear(&writer);
    return st;
}

static void assert_written(const char *path, const char *text)
{
    imsat_error err;
    assert_ok(imsat_writable(path, &err), &err);
    assert_ok(write_text(path, text, &err), &err);
}

/* Run in a child, which returns 0 if all is well. */
static void in_child(int (*run)(const char *path), const char *path)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(run(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static struct stat stat_of(const char *path)
{
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info;
}

static void assert_mode(const char *path, mode_t mode)
{
    assert_int_equal(stat_of(path).st_mode & 07777, mode);
}

/* ---- whole or not at all ------------------------------------------------------ */

static void commit_replaces_the_file_at_once(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const char *path = in_folder("out");
    write_file(path, "old", 3);
    const size_t entries = folder_count();
    assert_ok(im_writer_open(&writer, path, &err), &err);
    assert_ok(im_writer_put(&writer, "new ", 4, &err), &err);
    assert_ok(im_writer_put(&writer, NULL, 0, &err), &err);
    assert_ok(im_writer_put(&writer, "text", 4, &err), &err);
    assert_content(path, "old");
    assert_ok(im_writer_commit(&writer, &err), &err);
    assert_content(path, "new text");
    im_writer_clear(&writer);
    assert_content(path, "new text");
    assert_int_equal(folder_count(), entries);
}

static void abort_leaves_nothing(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const char *path = in_folder("aborted");
    const size_t entries = folder_count();
    assert_ok(im_writer_open(&writer, path, &err), &err);
    assert_ok(im_writer_put(&writer, "text", 4, &err), &err);
    assert_int_equal(folder_count(), entries + 1);
    im_writer_clear(&writer);
    assert_int_equal(folder_count(), entries);
    im_writer_clear(&writer);
}

static void unwritable_places_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const size_t entries = folder_count();
    assert_refused(im_writer_open(&writer, in_folder("no/file"), &err), &err, IMSAT_EIO,
                   "no/file: cannot be written: No such file or directory");
    assert_refused(im_writer_open(&writer, in_folder("."), &err), &err, IMSAT_EIO,
                   "is a directory");
    assert_false(writer.open);
    assert_int_equal(folder_count(), entries);
    if (geteuid() == 0)
        return; /* root writes where it likes */
    assert_int_equal(mkdir(in_folder("locked"), 0500), 0);
    assert_refused(im_writer_open(&writer, in_folder("locked/file"), &err), &err, IMSAT_EIO,
                   "locked/file: cannot be written: Permission denied");
}

static void imsat_writable_touches_nothing(void **state)
{
    (void)state;
    imsat_error err;
    const char *path = in_folder("touched");
    const size_t entries = folder_count();
    const struct stat before = stat_of(in_folder(""));
    assert_ok(imsat_writable(path, &err), &err);
    const struct stat after = stat_of(in_folder(""));
    assert_memory_equal(&after.st_mtim, &before.st_mtim, sizeof before.st_mtim);
    assert_int_equal(folder_count(), entries);
    write_file(path, "kept", 4);
    assert_ok(imsat_writable(path, &err), &err);
    assert_content(path, "kept");
    assert_refused(imsat_writable(in_folder("no/file"), &err), &err, IMSAT_EIO, "no/file");
}

/* A full disk, played by a limit on the size of files. In a child: the limit stays. */
static int write_to_a_full_disk(const char *path)
{
    imsat_error err;
    im_writer writer = {0};
    const struct rlimit limit = {1000, 1000};
    char bytes[1500] = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        im_writer_open(&writer, path, &err) != IMSAT_OK)
        return 1;
    if (im_writer_put(&writer, bytes, sizeof bytes, &err) == IMSAT_OK && /* may be buffered */
        im_writer_commit(&writer, &err) == IMSAT_OK)
        return 2;
    im_writer_clear(&writer);
    return strstr(err.message, "File too large") ? 0 : 3;
}

static void a_full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    const char *path = in_folder("full");
    write_file(path, "old", 3);
    const size_t entries = folder_count();
    in_child(write_to_a_full_disk, path);
    assert_content(path, "old");
    assert_int_equal(folder_count(), entries);
}

static imsat_status attempt_write(void *context, imsat_error *err)
{
    return write_text(context, "text", err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder("scarce"));
    const size_t entries = folder_count();
    assert_int_equal(fail_each(attempt_write, path), 2);
    assert_int_equal(folder_count(), entries + 1);
}

static void the_longest_name_can_be_written(void **state)
{
    char path[1024];
    (void)state;
    const int length = snprintf(path, sizeof path, "%s", in_folder(""));
    memset(path + length, 'n', NAME_MAX);
    path[length + NAME_MAX] = '\0';
    assert_written(path, "long");
    assert_content(path, "long");
    assert_int_equal(unlink(path), 0);
}

/* ---- several writers ---------------------------------------------------------- */

enum { WRITERS = 8, ROUNDS = 25, LETTERS = 30000 };

/* Write the same file again and again, all of one letter; the number of failures. */
static int write_rounds(const char *path, char letter)
{
    static const size_t half = LETTERS / 2;
    char letters[LETTERS];
    int failures = 0;
    memset(letters, letter, sizeof letters);
    for (int i = 0; i < ROUNDS; i++) {
        im_writer writer = {0};
        if (im_writer_open(&writer, path, NULL) != IMSAT_OK ||
            im_writer_put(&writer, letters, half, NULL) != IMSAT_OK ||
            im_writer_put(&writer, letters + half, half, NULL) != IMSAT_OK ||
            im_writer_commit(&writer, NULL) != IMSAT_OK)
            failures++;
        im_writer_clear(&writer);
    }
    return failures;
}

/* One writer's answer, whole, and nothing beside it. */
static void assert_one_answer(const char *path, size_t entries)
{
    char letters[LETTERS + 1], expected[LETTERS];
    assert_int_equal(read_file(path, letters, sizeof letters), LETTERS);
    memset(expected, letters[0], sizeof expected);
    assert_memory_equal(letters, expected, LETTERS);
    assert_int_equal(folder_count(), entries);
}

typedef struct thread_job {
    const char *path;
    char letter;
    int failures;
} thread_job;

static void *run_thread(void *context)
{
    thread_job *job = context;
    job->failures = write_rounds(job->path, job->letter);
    return NULL;
}

static void threads_write_the_same_file(void **state)
{
    char path[512];
    pthread_t threads[WRITERS];
    thread_job jobs[WRITERS];
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("contested"));
    const size_t entries = folder_count();
    for (int i = 0; i < WRITERS; i++) {
        jobs[i] = (thread_job){path, (char)('a' + i), 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &jobs[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) /* all, before one may fail: they use our variables */
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(jobs[i].failures, 0);
    assert_one_answer(path, entries + 1);
    assert_int_equal(unlink(path), 0);
}

static void processes_write_the_same_file(void **state)
{
    char path[512];
    int status = 0;
    (void)state;
    if (!can_fork())
        skip();
    snprintf(path, sizeof path, "%s", in_folder("contested"));
    const size_t entries = folder_count();
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0)
            _exit(write_rounds(path, (char)('a' + i)));
    for (int i = 0; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_one_answer(path, entries + 1);
    assert_int_equal(unlink(path), 0);
}

/* The name that a process of this number would have chosen once; another container may have
 * such a process, and anybody may plant it. */
static void a_planted_link_is_not_followed(void **state)
{
    char planted[600];
    (void)state;
    const char *path = in_folder("out");
    snprintf(planted, sizeof planted, "%s.%ld.tmp", path, (long)getpid());
    write_file(in_folder("victim"), "precious", 8);
    assert_int_equal(symlink("victim", planted), 0);
    assert_written(path, "text");
    assert_content(in_folder("victim"), "precious");
    assert_content(planted, "precious");
    assert_content(path, "text");
    assert_int_equal(unlink(planted), 0);
}

/* Die while a file is being written. */
static int die_writing(const char *path)
{
    im_writer writer = {0};
    if (im_writer_open(&writer, path, NULL) != IMSAT_OK ||
        im_writer_put(&writer, "half", 4, NULL) != IMSAT_OK)
        return 1;
    _exit(0);
}

static void the_next_writer_removes_what_was_left(void **state)
{
    imsat_error err;
    im_writer living = {0};
    (void)state;
    if (!can_fork())
        skip();
    const char *path = in_folder("left");
    assert_ok(im_writer_open(&living, path, &err), &err);
    const size_t entries = folder_count();
    in_child(die_writing, path);
    assert_int_equal(folder_count(), entries + 1);
    assert_written(in_folder("another"), "x"); /* is no business of that file */
    assert_int_equal(folder_count(), entries + 2);
    assert_written(path, "new");
    assert_int_equal(folder_count(), entries + 2); /* one gone, one new */
    assert_ok(im_writer_put(&living, "newer", 5, &err), &err);
    assert_ok(im_writer_commit(&living, &err), &err);
    im_writer_clear(&living);
    assert_content(path, "newer");
    assert_int_equal(folder_count(), entries + 1);
}

/* ---- what is replaced ----------------------------------------------------------- */

static void a_link_stays_and_its_target_is_replaced(void **state)
{
    (void)state;
    write_file(in_folder("target"), "old", 3);
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(symlink("link", in_folder("link to link")), 0);
    assert_int_equal(symlink("absent", in_folder("dangling")), 0);
    assert_written(in_folder("link to link"), "new");
    assert_content(in_folder("target"), "new");
    assert_written(in_folder("dangling"), "made");
    assert_content(in_folder("absent"), "made");
    assert_true(S_ISLNK(stat_of(in_folder("link")).st_mode));
    assert_true(S_ISLNK(stat_of(in_folder("link to link")).st_mode));
    assert_true(S_ISLNK(stat_of(in_folder("dangling")).st_mode));
}

static void the_mode_is_kept(void **state)
{
    (void)state;
    const char *path = in_folder("secret");
    const mode_t mask = umask(027);
    assert_written(path, "first");
    assert_mode(path, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    assert_written(path, "second");
    umask(mask);
    assert_mode(path, 0604);
    assert_content(path, "second");
    assert_int_equal(chmod(path, 0400), 0);
    assert_written(path, "third");
    assert_mode(path, 0400);
}

static void a_file_that_is_being_written_is_private(void **state)
{
    imsat_error err;
    im_writer writer = {0};
    char temporary[600];
    (void)state;
    const char *path = in_folder("private");
    write_file(path, "old", 3);
    assert_int_equal(chmod(path, 0666), 0);
    assert_ok(im_writer_open(&writer, path, &err), &err);
    snprintf(temporary, sizeof temporary, "%s", in_folder(writer.temporary));
    assert_mode(temporary, 0600);
    im_writer_clear(&writer);
}

/* As somebody who may neither give the file away nor have its group. */
static int replace_as_nobody(const char *path)
{
    imsat_error err;
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
        return 1;
    return write_text(path, "nobody's", &err) == IMSAT_OK ? 0 : 2;
}

/* Refused at once, not when the work is done. */
static int refused_as_nobody(const char *path)
{
    imsat_error err;
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
        return 1;
    if (imsat_writable(path, &err) == IMSAT_OK || write_text(path, "x", NULL) == IMSAT_OK)
        return 2;
    return strstr(err.message, "not permitted") ? 0 : 3;
}

static void the_owner_is_kept_where_that_is_permitted(void **state)
{
    (void)state;
    if (geteuid() != 0 || !can_fork())
        skip(); /* only root can play two users */
    const char *path = in_folder("owned");
    write_file(path, "old", 3);
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(chown(path, NOBODY, NOBODY + 1), 0);
    assert_written(path, "root's");
    assert_int_equal(stat_of(path).st_uid, NOBODY);
    assert_int_equal(stat_of(path).st_gid, NOBODY + 1);
    assert_mode(path, 0664);

    assert_int_equal(chmod(in_folder(""), 0777), 0);
    in_child(replace_as_nobody, path);
    assert_content(path, "nobody's");
    assert_int_equal(stat_of(path).st_gid, NOBODY);
    assert_mode(path, 0644); /* the group, another one now, may do what all may */

    write_file(in_folder("root's"), "old", 3);
    assert_int_equal(chmod(in_folder(""), 01777), 0);
    in_child(refused_as_nobody, in_folder("root's"));
    assert_int_equal(chmod(in_folder(""), 0700), 0);
}

/* ---- streams -------------------------------------------------------------------- */

/* Read a pipe to its end and compare. */
static void assert_pipe(int from, const char *expected)
{
    char content[64] = {0};
    size_t size = 0;
    for (ssize_t got; (got = read(from, content + size, sizeof content - 1 - size)) > 0;)
        size += (size_t)got;
    close(from);
    assert_string_equal(content, expected);
}

static void a_fifo_is_written_to(void **state)
{
    imsat_error err;
    (void)state;
    const char *path = in_folder("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_ok(imsat_writable(path, &err), &err); /* and does not wait for a reader */
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_written(path, "through");
    assert_pipe(reader, "through");
    assert_true(S_ISFIFO(stat_of(path).st_mode));
}

/* A node of our own where we may make one: /dev/null is not for experiments. */
static void a_device_is_written_to(void **state)
{
    imsat_error err;
    char null[512], full[512];
    (void)state;
    snprintf(null, sizeof null, "%s", in_folder("null"));
    snprintf(full, sizeof full, "%s", in_folder("full device"));
    if (mknod(null, S_IFCHR | 0666, makedev(1, 3)) != 0 ||
        mknod(full, S_IFCHR | 0666, makedev(1, 7)) != 0) {
        if (geteuid() == 0)
            skip();
        snprintf(null, sizeof null, "/dev/null");
        snprintf(full, sizeof full, "/dev/full");
    }
    const struct stat before = stat_of(null);
    assert_written(null, "away");
    assert_int_equal(stat_of(null).st_ino, before.st_ino);
    assert_true(S_ISCHR(stat_of(null).st_mode));
    assert_refused(write_text(full, "x", &err), &err, IMSAT_EIO, "No space left");
}

static void a_descriptor_is_written_to_where_it_stands(void **state)
{
    imsat_error err;
    char name[64];
    (void)state;
    const int file = open(in_folder("appended"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(file, "before ", 7), 7);
    const struct stat before = stat_of(in_folder("appended"));
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    assert_written(name, "in between ");
    assert_int_equal(write(file, "after", 5), 5);
    close(file);
    assert_content(in_folder("appended"), "before in between after");
    assert_int_equal(stat_of(in_folder("appended")).st_ino, before.st_ino);
    assert_refused(imsat_writable(name, &err), &err, IMSAT_EIO, "Bad file descriptor");

    const int reads = open(in_folder("appended"), O_RDONLY);
    snprintf(name, sizeof name, "/dev/fd/%d", reads);
    assert_refused(imsat_writable(name, &err), &err, IMSAT_EIO, "not open for writing");
    assert_refused(write_text(name, "x", &err), &err, IMSAT_EIO, "not open for writing");
    close(reads);
}

static void a_header_that_comes_last_is_first_in_a_pipe(void **state)
{
    int ends[2];
    imsat_error err;
    im_writer writer = {0};
    char name[64];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", ends[1]);
    for (int whole = 0; whole < 2; whole++) { /* nothing comes of what is not committed */
        assert_ok(im_writer_open_over(&writer, name, &err), &err);
        assert_ok(im_writer_put(&writer, "? rows: a b", 11, &err), &err);
        assert_ok(im_writer_over(&writer, "2", 1, &err), &err);
        if (whole)
            assert_ok(im_writer_commit(&writer, &err), &err);
        im_writer_clear(&writer);
    }
    close(ends[1]);
    assert_pipe(ends[0], "2 rows: a b");
}

static void a_socket_is_refused(void **state)
{
    imsat_error err;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)state;
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", in_folder("socket"));
    assert_int_equal(bind(made, (const struct sockaddr *)&address, sizeof address), 0);
    assert_refused(imsat_writable(in_folder("socket"), &err), &err, IMSAT_EIO,
                   "socket: is a socket, not a file");
    assert_refused(write_text(in_folder("socket"), "x", &err), &err, IMSAT_EIO, "is a socket");
    close(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_replaces_the_file_at_once),
        cmocka_unit_test(abort_leaves_nothing),
        cmocka_unit_test(unwritable_places_are_refused),
        cmocka_unit_test(imsat_writable_touches_nothing),
        cmocka_unit_test(a_full_disk_keeps_the_old_file),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_longest_name_can_be_written),
        cmocka_unit_test(threads_write_the_same_file),
        cmocka_unit_test(processes_write_the_same_file),
        cmocka_unit_test(a_planted_link_is_not_followed),
        cmocka_unit_test(the_next_writer_removes_what_was_left),
        cmocka_unit_test(a_link_stays_and_its_target_is_replaced),
        cmocka_unit_test(the_mode_is_kept),
        cmocka_unit_test(a_file_that_is_being_written_is_private),
        cmocka_unit_test(the_owner_is_kept_where_that_is_permitted),
        cmocka_unit_test(a_fifo_is_written_to),
        cmocka_unit_test(a_device_is_written_to),
        cmocka_unit_test(a_descriptor_is_written_to_where_it_stands),
        cmocka_unit_test(a_header_that_comes_last_is_first_in_a_pipe),
        cmocka_unit_test(a_socket_is_refused),
    };
    return cmocka_run_group_tests_name("writer", tests, folder_setup, folder_teardown);
}
