/* SPDX-License-Identifier: MIT
 * Writing files; see writer.h. */
#define _GNU_SOURCE
#include "core/writer.h"

#include "core/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

imsat_status im_writer_open(im_writer *writer, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    im_writer w = {0};
    const size_t room = strlen(path) + 32;
    w.path = im_strdup(path);
    w.temporary = im_alloc(room, 1);
    if (!w.path || !w.temporary) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        st = im_fail(err, IMSAT_EIO, "%s: is a directory, not a file", path);
        goto cleanup;
    }
    snprintf(w.temporary, room, "%s.%ld.tmp", path, (long)getpid());
    w.file = fopen(w.temporary, "wbe");
    if (!w.file) {
        st = im_fail(err, IMSAT_EIO, "%s: cannot be written: %s", path, strerror(errno));
        goto cleanup;
    }
    *writer = w;
    w = (im_writer){0};

cleanup:
    im_writer_clear(&w);
    return st;
}

imsat_status im_writer_put(im_writer *writer, const void *data, size_t size, imsat_error *err)
{
    if (size && fwrite(data, 1, size, writer->file) != size)
        return im_fail_file(err, writer->path);
    return IMSAT_OK;
}

imsat_status im_writer_over(im_writer *writer, const void *data, size_t size, imsat_error *err)
{
    if (fseek(writer->file, 0, SEEK_SET) != 0)
        return im_fail_file(err, writer->path);
    return im_writer_put(writer, data, size, err);
}

imsat_status im_writer_commit(im_writer *writer, imsat_error *err)
{
    FILE *file = writer->file;
    writer->file = NULL;
    const bool flushed = fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int why = errno;
    if (fclose(file) != 0 || !flushed || rename(writer->temporary, writer->path) != 0) {
        if (!flushed)
            errno = why;
        const imsat_status st = im_fail_file(err, writer->path);
        unlink(writer->temporary);
        return st;
    }
    return IMSAT_OK;
}

void im_writer_clear(im_writer *writer)
{
    if (writer->file) {
        fclose(writer->file);
        unlink(writer->temporary);
    }
    im_free(writer->path);
    im_free(writer->temporary);
    *writer = (im_writer){0};
}

imsat_status imsat_writable(const char *path, imsat_error *err)
{
    im_writer writer = {0};
    const imsat_status st = im_writer_open(&writer, path, err);
    im_writer_clear(&writer); /* not committed: the temporary file goes away */
    return st;
}
