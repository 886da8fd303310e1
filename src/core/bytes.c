/* SPDX-License-Identifier: MIT
 * The bytes of a file; see bytes.h. The only file that knows zlib and mmap. */
#define _GNU_SOURCE
#include "core/bytes.h"

#include "core/alloc.h"

#include <fcntl.h>
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
