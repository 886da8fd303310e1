/* SPDX-License-Identifier: MIT
 * Writing files; see writer.h. */
#define _GNU_SOURCE
#include "core/writer.h"

#include "core/alloc.h"
#include "core/spool.h"
#include "core/transfer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAITING = 1 << 16 };

/* ---- opening ---------------------------------------------------------------- */

/* Refuse what can be neither replaced nor written to as it is. */
static imsat_status check_kind(const im_place *place, const char *path, imsat_error *err)
{
    if (place->descriptor >= 0) {
        const int flags = fcntl(place->descriptor, F_GETFL);
        if (flags < 0)
            return im_place_fail(err, path);
        if ((flags & O_ACCMODE) == O_RDONLY)
            return im_fail(err, IMSAT_EIO, "%s: is not open for writing", path);
    } else if (place->exists && (S_ISBLK(place->mode) || S_ISSOCK(place->mode))) {
        return im_fail(err, IMSAT_EIO, "%s: is a %s, not a file", path,
                       S_ISBLK(place->mode) ? "block device" : "socket");
    }
    return IMSAT_OK;
}

/* The descriptor to write a stream by: it is opened once, and never made or emptied. */
static int open_stream(const im_place *place)
{
    if (place->descriptor >= 0)
        return fcntl(place->descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return openat(place->folder, place->name, O_WRONLY | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
}

static imsat_status open_file(im_writer *w, const char *path, imsat_error *err)
{
    int descriptor = -1;
    if (im_place_is_stream(&w->place)) {
        descriptor = open_stream(&w->place);
        if (descriptor < 0)
            return im_place_fail(err, path);
    } else {
        im_temporary_sweep(&w->place);
        const imsat_status st =
            im_temporary_make(w->temporary, &descriptor, &w->place, path, err);
        if (st != IMSAT_OK)
            return st;
    }
    w->file = descriptor;
    w->open = true;
    return IMSAT_OK;
}

/* Let what is written to a stream wait in a file that has no name. */
static imsat_status spool(im_writer *w, imsat_error *err)
{
    const int file = im_spool_new();
    if (file < 0)
        return im_fail(err, IMSAT_EIO,
                       "%s: no temporary file can be made to hold what is written to it: %s",
                       w->path, strerror(errno));
    w->stream = w->file;
    w->file = file;
    return IMSAT_OK;
}

/* Close what is open; a temporary file that still has its name goes away. errno stays. */
static void release(im_writer *w)
{
    const int why = errno;
    if (*w->temporary)
        unlinkat(w->place.folder, w->temporary, 0);
    w->temporary[0] = '\0';
    if (w->open)
        close(w->file);
    if (w->stream >= 0)
        close(w->stream);
    w->open = false;
    w->stream = -1;
    im_place_clear(&w->place);
    errno = why;
}

static imsat_status open_writer(im_writer *writer, const char *path, bool over,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_writer w = {.place.folder = -1, .stream = -1};
    w.path = im_strdup(path);
    w.waiting = im_alloc_unset(WAITING, 1);
    if (!w.path || !w.waiting) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    IM_TRY(im_place_find(&w.place, path, err));
    IM_TRY(check_kind(&w.place, path, err));
    IM_TRY(open_file(&w, path, err));
    if (over && im_place_is_stream(&w.place))
        IM_TRY(spool(&w, err));
    *writer = w;
    return IMSAT_OK;

cleanup:
    release(&w);
    im_writer_clear(&w);
    return st;
}

imsat_status im_writer_open(im_writer *writer, const char *path, imsat_error *err)
{
    return open_writer(writer, path, false, err);
}

imsat_status im_writer_open_over(im_writer *writer, const char *path, imsat_error *err)
{
    return open_writer(writer, path, true, err);
}

/* ---- writing ---------------------------------------------------------------- */

static bool flush(im_writer *w)
{
    const size_t used = w->used;
    w->used = 0;
    return im_transfer_write(w->file, w->waiting, used);
}

/* Small pieces wait for others. Not by stdio, which takes a signal for a failure to write. */
static bool put(im_writer *w, const void *data, size_t size)
{
    if (size > WAITING - w->used && !flush(w))
        return false;
    if (size >= WAITING)
        return im_transfer_write(w->file, data, size);
    if (size)
        memcpy(w->waiting + w->used, data, size);
    w->used += size;
    return true;
}

imsat_status im_writer_put(im_writer *writer, const void *data, size_t size, imsat_error *err)
{
    return put(writer, data, size) ? IMSAT_OK : im_fail_file(err, writer->path);
}

imsat_status im_writer_over(im_writer *writer, const void *data, size_t size, imsat_error *err)
{
    assert(writer->stream >= 0 || *writer->temporary);
    return flush(writer) && im_transfer_write_at(writer->file, data, size, 0)
               ? IMSAT_OK
               : im_fail_file(err, writer->path);
}

/* ---- ending ----------------------------------------------------------------- */

/* Give the new file the owner and the mode of the old one. Where that is not permitted, the
 * mode must not open the file to more people: another group has the rights that all had. */
static void keep_access(const im_writer *w)
{
    const int file = w->file;
    mode_t mode = w->place.mode & 07777;
    struct stat now;
    if (!w->place.exists || fstat(file, &now) != 0)
        return;
    if (now.st_uid != w->place.owner && fchown(file, w->place.owner, (gid_t)-1) != 0)
        mode &= 0777;
    if (now.st_gid != w->place.group && fchown(file, (uid_t)-1, w->place.group) != 0)
        mode &= 0707 | (mode & 07) << 3;
    if (fchmod(file, mode) != 0)
        return; /* a file system without modes; the file is the owner's alone */
}

/* Put the rename on disk. A folder that may not be read cannot be flushed, and some file
 * systems have nothing to flush. */
static bool sync_folder(const im_place *place)
{
    const int folder = openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno == EACCES;
    const bool done = fsync(folder) == 0 || errno == EINVAL;
    const int why = errno;
    close(folder);
    errno = why;
    return done;
}

/* The lock on the temporary file lasts until it has its final name: it is closed after that.
 */
static bool commit_file(im_writer *w)
{
    const int folder = w->place.folder;
    if (!flush(w))
        return false;
    keep_access(w);
    if (fsync(w->file) != 0 || renameat(folder, w->temporary, folder, w->place.name) != 0)
        return false;
    w->temporary[0] = '\0';
    return sync_folder(&w->place);
}

/* Pass on what waited for the commit; there is nothing else in the buffer any more. */
static bool pass_on(im_writer *w)
{
    size_t got = WAITING;
    for (uint64_t at = 0; got == WAITING; at += got)
        if (!im_transfer_read_at(w->file, w->waiting, WAITING, at, &got) ||
            !im_transfer_write(w->stream, w->waiting, got))
            return false;
    return true;
}

static bool commit_stream(im_writer *w)
{
    if (!flush(w) || (w->stream >= 0 && !pass_on(w)))
        return false;
    const bool waited = w->stream >= 0;
    const int last = waited ? w->stream : w->file;
    if (S_ISREG(w->place.mode) && fsync(last) != 0)
        return false;
    if (waited)
        w->stream = -1;
    else
        w->open = false;
    return close(last) == 0 || errno == EINTR; /* it is closed in any case */
}

imsat_status im_writer_commit(im_writer *writer, imsat_error *err)
{
    const bool whole = *writer->temporary ? commit_file(writer) : commit_stream(writer);
    release(writer);
    return whole ? IMSAT_OK : im_fail_file(err, writer->path);
}

void im_writer_clear(im_writer *writer)
{
    if (writer->open)
        release(writer);
    im_free(writer->waiting);
    im_free(writer->path);
    *writer = (im_writer){0};
}

/* ---- may it be written? ------------------------------------------------------- */

/* In a folder like /tmp, where everybody may write, nobody may replace another's file. */
static bool may_replace(const im_place *place)
{
    struct stat folder;
    if (fstat(place->folder, &folder) != 0)
        return false;
    errno = EPERM;
    return !(folder.st_mode & S_ISVTX) || !place->exists || geteuid() == 0 ||
           place->owner == geteuid() || folder.st_uid == geteuid();
}

imsat_status imsat_writable(const char *path, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    im_place place;
    imsat_status st = im_place_find(&place, path, err);
    if (st != IMSAT_OK)
        return st;
    const bool stream = im_place_is_stream(&place);
    st = check_kind(&place, path, err);
    if (st == IMSAT_OK && place.descriptor < 0 &&
        (faccessat(place.folder, stream ? place.name : ".", stream ? W_OK : W_OK | X_OK,
                   AT_EACCESS) != 0 ||
         (!stream && !may_replace(&place))))
        st = im_place_fail(err, path);
    im_place_clear(&place);
    return st;
}
