/* SPDX-License-Identifier: MIT
 * The bytes of a file; see bytes.h. */
#define _GNU_SOURCE
#include "core/bytes.h"

#include "core/alloc.h"
#include "core/spool.h"
#include "core/transfer.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static imsat_status check_kind(const struct stat *info, const char *path, imsat_error *err)
{
    if (S_ISDIR(info->st_mode))
        return im_fail(err, IMSAT_EIO, "%s: is a directory, not a file", path);
    if (!S_ISREG(info->st_mode))
        return im_fail(err, IMSAT_EIO, "%s: is not a regular file", path);
    if (info->st_size == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: the file is empty", path);
    return IMSAT_OK;
}

void im_bytes_clear(im_bytes *bytes)
{
    if (!bytes->borrowed)
        im_map_free(bytes->mapped);
    im_free(bytes->heap);
    im_unpack_free(bytes->stream);
    *bytes = (im_bytes){0};
}

static void close_stream(im_bytes *bytes)
{
    im_unpack_free(bytes->stream);
    bytes->stream = NULL;
}

imsat_status im_bytes_read(im_bytes *bytes, void *to, size_t size, size_t *got,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t read = 0;
    if (bytes->stream)
        IM_TRY(im_unpack_read(bytes->stream, to, size, &read, err));
    if (read < size)
        close_stream(bytes);
    *got = read;

cleanup:
    return st;
}

imsat_status im_bytes_afford(const im_bytes *bytes, size_t size, imsat_error *err)
{
    return bytes->stream ? im_unpack_afford(bytes->stream, size, err) : IMSAT_OK;
}

/* The first `size` bytes, more than are here. A header may claim any size: the block is not
 * set, so a file that does not hold what its header says takes the memory of what it holds. */
static imsat_status take(im_bytes *bytes, size_t size, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t got = 0;
    unsigned char *grown = im_alloc_unset(size, 1);
    if (!grown)
        return im_fail_memory(err, im_unpack_path(bytes->stream));
    if (bytes->size)
        memcpy(grown, bytes->data, bytes->size);
    IM_TRY(im_bytes_read(bytes, grown + bytes->size, size - bytes->size, &got, err));
    im_free(bytes->heap);
    bytes->data = bytes->heap = grown;
    bytes->size += got;
    grown = NULL;

cleanup:
    im_free(grown);
    return st;
}

imsat_status im_bytes_need(im_bytes *bytes, size_t size, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!bytes->stream || size <= bytes->size)
        return IMSAT_OK;
    IM_TRY(im_bytes_afford(bytes, size, err));
    IM_TRY(take(bytes, size, err));

cleanup:
    return st;
}

imsat_status im_bytes_all(im_bytes *bytes, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    while (bytes->stream)
        IM_TRY(take(bytes, 2 * bytes->size, err)); /* which never has more than was afforded */

cleanup:
    return st;
}

/* The first `head` bytes of a stream, which is taken over. */
static imsat_status begin_stream(im_bytes *out, im_unpack *stream, size_t head,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {.stream = stream, .unpacked = true};
    IM_TRY(take(&bytes, head, err));
    *out = bytes;
    bytes = (im_bytes){0};

cleanup:
    im_bytes_clear(&bytes);
    return st;
}

static imsat_status open_stream(im_bytes *out, int fd, const char *path, imsat_error *err)
{
    im_unpack *stream = NULL;
    const imsat_status st = im_unpack_open(&stream, fd, path, err);
    return st == IMSAT_OK ? begin_stream(out, stream, IM_BYTES_HEAD, err) : st;
}

imsat_status im_bytes_open_member(im_bytes *out, const im_unpack_member *member,
                                  const char *path, imsat_error *err)
{
    im_unpack *stream = NULL;
    const imsat_status st = im_unpack_open_member(&stream, member, path, err);
    return st == IMSAT_OK ? begin_stream(out, stream, IM_BYTES_HEAD, err) : st;
}

imsat_status im_bytes_open_zlib(im_bytes *out, const im_bytes *packed, size_t head,
                                const char *path, imsat_error *err)
{
    im_unpack *stream = NULL;
    const imsat_status st =
        im_unpack_open_zlib(&stream, packed->data, packed->size, path, err);
    return st == IMSAT_OK ? begin_stream(out, stream, head, err) : st;
}

static imsat_status open_regular(im_bytes *out, int fd, const struct stat *info,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char head[16];
    im_map *mapped = NULL;
    IM_TRY(check_kind(info, path, err));
    size_t got;
    if (!im_transfer_read_at(fd, head, sizeof head, 0, &got))
        return im_fail_file(err, path);
    if (im_unpack_knows(head, got))
        return open_stream(out, fd, path, err);
    IM_TRY(im_map_new(&mapped, fd, (size_t)info->st_size, path, err));
    *out = (im_bytes){
        .data = im_map_data(mapped), .size = (size_t)info->st_size, .mapped = mapped};

cleanup:
    return st;
}

/* What can be read only once, from front to back, and ends. */
static bool is_pipe(const struct stat *info, int fd)
{
    return S_ISFIFO(info->st_mode) || S_ISSOCK(info->st_mode) ||
           (S_ISCHR(info->st_mode) && isatty(fd));
}

imsat_status im_bytes_open_fd(im_bytes *out, int fd, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    int copy = -1;
    if (fstat(fd, &info) != 0)
        return im_fail_file(err, path);
    if (!is_pipe(&info, fd))
        return open_regular(out, fd, &info, path, err);
    IM_TRY(im_spool_copy(&copy, fd, path, err));
    st = fstat(copy, &info) == 0 ? open_regular(out, copy, &info, path, err)
                                 : im_fail_file(err, path);

cleanup:
    if (copy >= 0)
        close(copy);
    return st;
}

imsat_status im_bytes_open_kept(im_bytes *out, int *fd, const char *path, imsat_error *err)
{
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    if (opened < 0)
        return im_fail_file(err, path);
    const imsat_status st = im_bytes_open_fd(out, opened, path, err);
    if (st == IMSAT_OK)
        *fd = opened;
    else
        close(opened);
    return st;
}

imsat_status im_bytes_open(im_bytes *out, const char *path, imsat_error *err)
{
    int fd = -1;
    const imsat_status st = im_bytes_open_kept(out, &fd, path, err);
    if (st == IMSAT_OK)
        close(fd);
    return st;
}

imsat_status im_bytes_end(im_bytes *bytes, bool *more, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char next;
    size_t got = 0;
    IM_TRY(im_bytes_read(bytes, &next, 1, &got, err));
    *more = got > 0;

cleanup:
    close_stream(bytes);
    return st;
}

/* Where in what is mapped they start. */
static size_t map_place(const im_bytes *bytes)
{
    return bytes->mapped ? (size_t)(bytes->data - im_map_data(bytes->mapped)) : 0;
}

imsat_status im_bytes_check(const im_bytes *bytes, imsat_status st, imsat_error *err)
{
    const imsat_status lost =
        bytes->mapped ? im_map_check(bytes->mapped, map_place(bytes) + bytes->size, err)
                      : IMSAT_OK;
    return lost == IMSAT_OK ? st : lost;
}

bool im_bytes_lost(const im_bytes *bytes)
{
    return bytes->mapped && im_map_lost(bytes->mapped);
}

void im_bytes_narrow(im_bytes *bytes, size_t first, size_t size)
{
    assert(!bytes->stream && first <= bytes->size && size <= bytes->size - first);
    bytes->data += first;
    bytes->size = size;
}

im_bytes im_bytes_borrow(const im_bytes *bytes, size_t first, size_t size)
{
    assert(first <= bytes->size && size <= bytes->size - first);
    return (im_bytes){.data = bytes->data + first,
                      .size = size,
                      .mapped = bytes->mapped,
                      .borrowed = true,
                      .unpacked = bytes->unpacked};
}

const char *im_bytes_held(const im_bytes *bytes)
{
    return bytes->mapped ? "mapped" : bytes->unpacked ? "decompressed" : "in memory";
}

const unsigned char *im_bytes_get(const im_bytes *bytes, const unsigned char *at, size_t size,
                                  void *room)
{
    if (!bytes->mapped || !im_map_is_read(bytes->mapped))
        return at;
    im_map_read(bytes->mapped, room, (size_t)(at - im_map_data(bytes->mapped)), size);
    return room;
}

void im_bytes_release(const im_bytes *bytes, size_t first, size_t end)
{
    const size_t start = map_place(bytes);
    if (bytes->mapped)
        im_map_release(bytes->mapped, start + first, start + end);
}
