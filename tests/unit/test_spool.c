/* SPDX-License-Identifier: MIT
 * Files without a name: what comes from a pipe is whole, and nothing is left behind. */
#define _GNU_SOURCE
#include "core/spool.h"

#include "core/bytes.h"
#include "data_files.h"
#include "imsat/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGE = 300001 }; /* more than a pipe holds */

typedef struct writing {
    int fd;
    const unsigned char *bytes;
    size_t size;
} writing;

static void *write_to_pipe(void *context)
{
    const writing *w = context;
    for (size_t done = 0; done < w->size;) {
        const ssize_t written = write(w->fd, w->bytes + done, w->size - done);
        if (written <= 0)
            break;
        done += (size_t)written;
    }
    close(w->fd);
    return NULL;
}

/* Open the end of a pipe into which another thread writes. */
static imsat_status open_pipe(im_bytes *out, const void *bytes, size_t size, imsat_error *err)
{
    int ends[2];
    pthread_t thread;
    assert_int_equal(pipe(ends), 0);
    writing w = {ends[1], bytes, size};
    assert_int_equal(pthread_create(&thread, NULL, write_to_pipe, &w), 0);
    const imsat_status st = im_bytes_open_fd(out, ends[0], "the pipe", err);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(ends[0]);
    return st;
}

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    static unsigned char bytes[LARGE];
    im_bytes read = {0};
    imsat_error err;
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    imsat_set_temporary_folder(in_folder("."));
    assert_ok(open_pipe(&read, bytes, LARGE, &err), &err);
    assert_int_equal(folder_count(), 0);
    assert_non_null(read.mapped);
    assert_int_equal(read.size, LARGE);
    assert_memory_equal(read.data, bytes, LARGE);
    im_bytes_clear(&read);
    assert_refused(open_pipe(&read, "", 0, &err), &err, IMSAT_EFORMAT,
                   "the pipe: the file is empty");
    imsat_set_temporary_folder(NULL);
}

/* A compressed table through a named pipe, as data. */
static void a_pipe_may_be_compressed(void **state)
{
    (void)state;
    unsigned char packed[256];
    const char text[] = "1,2\n3,4\n";
    const size_t size =
        read_file(file_gzip("x.gz", text, sizeof text - 1), packed, sizeof packed);
    im_bytes read = {0};
    imsat_error err;
    assert_ok(open_pipe(&read, packed, size, &err), &err);
    assert_true(read.unpacked);
    assert_int_equal(read.size, sizeof text - 1);
    assert_memory_equal(read.data, text, sizeof text - 1);
    im_bytes_clear(&read);
}

static void no_room_is_told(void **state)
{
    (void)state;
    im_bytes read = {0};
    imsat_error err;
    char name[IM_SPOOL_NAME];
    imsat_set_temporary_folder(in_folder("none"));
    assert_refused(open_pipe(&read, "1", 1, &err), &err, IMSAT_EIO,
                   "the pipe: cannot be kept in a temporary file in");
    assert_refused(im_spool_put(name, "1", 1, "that", &err), &err, IMSAT_EIO,
                   "none: No such file or directory; TMPDIR may name another folder");
    imsat_set_temporary_folder(NULL);
}

static void bytes_become_a_file(void **state)
{
    (void)state;
    char back[8], name[IM_SPOOL_NAME];
    imsat_error err;
    assert_ok(im_spool_put(name, "some", 4, "that", &err), &err);
    assert_int_equal(read_file(name, back, sizeof back), 4);
    assert_memory_equal(back, "some", 4);
    assert_int_equal(unlink(name), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test(a_pipe_may_be_compressed),
        cmocka_unit_test(no_room_is_told),
        cmocka_unit_test(bytes_become_a_file),
    };
    return cmocka_run_group_tests_name("spool", tests, folder_setup, folder_teardown);
}
