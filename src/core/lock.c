/* SPDX-License-Identifier: MIT
 * Locks; see lock.h. */
#define _GNU_SOURCE
#include "core/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Network file systems lock only what is open for writing, so that is tried first, also for a
 * file that will not be written to. What is to be replaced and cannot be opened has nothing to
 * lock: whether the name can be written to is for the writer to say. Devices are not even
 * opened, since that may do something, and opening a FIFO may wait. */
static imsat_status open_to_lock(int *fd, const char *path, im_lock_use use, imsat_error *err)
{
    struct stat info;
    const bool there = stat(path, &info) == 0, regular = there && S_ISREG(info.st_mode);
    *fd = -1;
    if (use == IM_LOCK_CHANGE && there && !regular)
        return im_fail(err, IMSAT_EIO, "%s: is not a regular file", path);
    if (use == IM_LOCK_REPLACE && !regular)
        return IMSAT_OK;
    *fd = open(path, O_RDWR | O_CLOEXEC);
    if (*fd < 0 && use == IM_LOCK_CHANGE)
        return im_fail_file(err, path);
    if (*fd < 0)
        *fd = open(path, O_RDONLY | O_CLOEXEC);
    return IMSAT_OK;
}

static imsat_status lock(int fd, const char *path, imsat_error *err)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return im_fail(err, IMSAT_EBUSY,
                           "%s: is being changed by another process; try again", path);
        if (errno != EINTR)
            return im_fail_file(err, path);
    }
    return IMSAT_OK;
}

/* Whether the path still names this file. */
static bool is_named(int fd, const char *path)
{
    struct stat held, named;
    return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

imsat_status im_lock_take(int *fd, const char *path, im_lock_use use, imsat_error *err)
{
    for (;;) {
        int opened;
        imsat_status st = open_to_lock(&opened, path, use, err);
        if (st == IMSAT_OK && opened >= 0)
            st = lock(opened, path, err);
        if (st == IMSAT_OK && (opened < 0 || is_named(opened, path))) {
            *fd = opened;
            return IMSAT_OK;
        }
        im_lock_drop(opened);
        if (st != IMSAT_OK)
            return st;
    }
}

void im_lock_drop(int fd)
{
    if (fd >= 0)
        close(fd);
}
