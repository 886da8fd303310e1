/* SPDX-License-Identifier: MIT
 * Files without a name; see spool.h. */
#define _GNU_SOURCE
#include "core/spool.h"

#include "core/transfer.h"
#include "imsat/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

_Static_assert(IM_SPOOL_NAME >= PATH_MAX + 32, "every name fits");

/* As imsat_set_temporary_folder() was called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX] = "/tmp";

void imsat_set_temporary_folder(const char *path)
{
    pthread_mutex_lock(&lock);
    snprintf(folder, sizeof folder, "%s", path && *path ? path : "/tmp");
    pthread_mutex_unlock(&lock);
}

static void get_folder(char out[PATH_MAX])
{
    pthread_mutex_lock(&lock);
    memcpy(out, folder, PATH_MAX);
    pthread_mutex_unlock(&lock);
}

static int make_named(char name[IM_SPOOL_NAME])
{
    char where[PATH_MAX];
    get_folder(where);
    snprintf(name, IM_SPOOL_NAME, "%s/.imsat-XXXXXX", where);
    return mkostemp(name, O_CLOEXEC);
}

/* Where the file system has no files without a name, it is one whose name goes at once. */
int im_spool_new(void)
{
    char where[PATH_MAX], name[IM_SPOOL_NAME];
    get_folder(where);
    int fd = open(where, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0) {
        fd = make_named(name);
        if (fd >= 0)
            unlink(name);
    }
    return fd;
}

static imsat_status refuse(const char *path, imsat_error *err)
{
    char where[PATH_MAX];
    const int why = errno;
    get_folder(where);
    return im_fail(err, IMSAT_EIO,
                   "%.500s: cannot be kept in a temporary file in %.300s: %s; TMPDIR may name "
                   "another folder",
                   path, where, strerror(why));
}

imsat_status im_spool_put(char name[IM_SPOOL_NAME], const void *bytes, size_t size,
                          const char *path, imsat_error *err)
{
    const int file = make_named(name);
    if (file < 0)
        return refuse(path, err);
    if (!im_transfer_write(file, bytes, size)) {
        const imsat_status st = refuse(path, err);
        unlink(name);
        close(file);
        return st;
    }
    close(file);
    return IMSAT_OK;
}

imsat_status im_spool_copy(int *out, int fd, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char piece[PIECE];
    const int file = im_spool_new();
    if (file < 0)
        return refuse(path, err);
    for (size_t got = sizeof piece; got == sizeof piece && st == IMSAT_OK;) {
        if (!im_transfer_read(fd, piece, sizeof piece, &got))
            st = im_fail_file(err, path);
        else if (!im_transfer_write(file, piece, got))
            st = refuse(path, err);
    }
    if (st == IMSAT_OK)
        *out = file;
    else
        close(file);
    return st;
}
