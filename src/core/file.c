/* SPDX-License-Identifier: MIT
 * Files; see file.h. The only file that knows zlib and mmap. */
#define _GNU_SOURCE
#include "core/file.h"

#include "core/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { FIRST_CHUNK = 1 << 16 };

static imsat_status gunzip(im_bytes *out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char *buffer = NULL;
    size_t size = 0, room = FIRST_CHUNK;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return im_fail_file(err, path);
    buffer = im_alloc(room, 1);
    if (!buffer) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    for (;;) {
        if (size == room) {
            unsigned char *grown = im_grow(buffer, room, 2 * room, 1);
            if (!grown) {
                st = im_fail_memory(err, path);
                goto cleanup;
            }
            buffer = grown;
            room *= 2;
        }
        const size_t want = room - size < (1U << 30) ? room - size : (1U << 30);
        const int got = gzread(file, buffer + size, (unsigned)want);
        if (got < 0) {
            int code;
            st = im_fail(err, IMSAT_EFORMAT, "%s: %s", path, gzerror(file, &code));
            goto cleanup;
        }
        if (got == 0)
            break;
        size += (size_t)got;
    }
    int code;
    gzerror(file, &code);
    if (code == Z_BUF_ERROR) { /* gzread gives 0, not an error, when the input is cut short */
        st = im_fail(err, IMSAT_EFORMAT, "%s: the gzip stream is cut short after %zu bytes",
                     path, size);
        goto cleanup;
    }
    *out = (im_bytes){.data = buffer, .size = size, .heap = buffer};
    buffer = NULL;

cleanup:
    im_free(buffer);
    gzclose(file);
    return st;
}

imsat_status im_bytes_open(im_bytes *out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    void *mapped = MAP_FAILED;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return im_fail_file(err, path);
    if (fstat(fd, &info) != 0) {
        st = im_fail_file(err, path);
        goto cleanup;
    }
    if (S_ISDIR(info.st_mode)) {
        st = im_fail(err, IMSAT_EIO, "%s: is a directory, not a file", path);
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode)) {
        st = im_fail(err, IMSAT_EIO, "%s: is not a regular file", path);
        goto cleanup;
    }
    if (info.st_size == 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: the file is empty", path);
        goto cleanup;
    }
    mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped == MAP_FAILED) {
        st = im_fail_file(err, path);
        goto cleanup;
    }
    const unsigned char *head = mapped;
    if (info.st_size >= 2 && head[0] == 0x1f && head[1] == 0x8b) {
        st = gunzip(out, path, err);
        goto cleanup;
    }
    *out = (im_bytes){.data = mapped, .size = (size_t)info.st_size, .mapped = mapped};
    mapped = MAP_FAILED;

cleanup:
    if (mapped != MAP_FAILED)
        munmap(mapped, (size_t)info.st_size);
    close(fd);
    return st;
}

void im_bytes_clear(im_bytes *bytes)
{
    if (bytes->mapped)
        munmap(bytes->mapped, bytes->size);
    im_free(bytes->heap);
    *bytes = (im_bytes){0};
}

void im_bytes_release(const im_bytes *bytes, size_t first, size_t end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    first = first / page * page; /* outwards: pages that two ranges share go, too */
    if (bytes->mapped && first < end)
        madvise((char *)bytes->mapped + first, end - first, MADV_DONTNEED);
}

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

bool im_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool ends(const char *path, size_t length, const char *suffix)
{
    const size_t size = strlen(suffix);
    return length >= size && strncasecmp(path + length - size, suffix, size) == 0;
}

bool im_file_path_ends(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    return ends(path, ends(path, length, ".gz") ? length - 3 : length, suffix);
}

imsat_status imsat_writable(const char *path, imsat_error *err)
{
    im_writer writer = {0};
    const imsat_status st = im_writer_open(&writer, path, err);
    im_writer_clear(&writer); /* not committed: the temporary file goes away */
    return st;
}
