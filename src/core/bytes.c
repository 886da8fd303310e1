/* SPDX-License-Identifier: MIT
 * The bytes of a file; see bytes.h. The only file that knows mmap. */
#define _GNU_SOURCE
#include "core/bytes.h"

#include "core/alloc.h"
#include "core/unpack.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CHUNK = 1 << 16 };

/* All of a compressed file; *fd is the stream's from now on, and then -1. */
static imsat_status decompress(im_bytes *out, int *fd, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_unpack *stream = NULL;
    unsigned char *buffer = NULL;
    size_t size = 0, room = FIRST_CHUNK, got = 0;
    IM_TRY(im_unpack_open(&stream, *fd, path, err));
    *fd = -1;
    buffer = im_alloc(room, 1);
    if (!buffer) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    for (;;) {
        IM_TRY(im_unpack_read(stream, buffer + size, room - size, &got, err));
        size += got;
        if (size < room)
            break;
        unsigned char *grown = im_grow(buffer, room, 2 * room, 1);
        if (!grown) {
            st = im_fail_memory(err, path);
            goto cleanup;
        }
        buffer = grown;
        room *= 2;
    }
    *out = (im_bytes){.data = buffer, .size = size, .heap = buffer};
    buffer = NULL;

cleanup:
    im_free(buffer);
    im_unpack_free(stream);
    return st;
}

imsat_status im_bytes_open(im_bytes *out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    void *mapped = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
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
    if (im_unpack_knows(mapped, (size_t)info.st_size)) {
        st = decompress(out, &fd, path, err);
        goto cleanup;
    }
    *out = (im_bytes){.data = mapped, .size = (size_t)info.st_size, .mapped = mapped};
    mapped = MAP_FAILED;

cleanup:
    if (mapped != MAP_FAILED)
        munmap(mapped, (size_t)info.st_size);
    if (fd >= 0)
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
