/* SPDX-License-Identifier: MIT
 *
 * Compressed files; see unpack.h. The only file that knows zlib.
 *
 * A gzip file is one or more members (RFC 1952), each with its own checksum. zlib's gzread()
 * would end without a word where the next member does not begin as one, and so drop what was
 * damaged there; here that is an error.
 */
#define _GNU_SOURCE
#include "core/unpack.h"

#include "core/alloc.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

enum { INPUT = 1 << 16, GZIP_WINDOW = 16 + MAX_WBITS, MOST_AT_ONCE = 1 << 30 };

static const unsigned char MAGIC[] = {0x1f, 0x8b};

struct im_unpack {
    int fd;
    char *path;
    z_stream zlib;
    bool started;     /* zlib has memory */
    bool between;     /* a member has ended; another one, zeros or the end may follow */
    bool ended;       /* so has the file */
    size_t consumed;  /* bytes of the file that were read to `input` */
    size_t delivered; /* bytes that were decompressed */
    unsigned char input[INPUT];
};

bool im_unpack_knows(const unsigned char *head, size_t size)
{
    return size >= sizeof MAGIC && memcmp(head, MAGIC, sizeof MAGIC) == 0;
}

static void *take_memory(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return im_alloc(count, size);
}

static void give_memory(void *opaque, void *block)
{
    (void)opaque;
    im_free(block);
}

imsat_status im_unpack_open(im_unpack **out, int fd, const char *path, imsat_error *err)
{
    im_unpack *stream = im_alloc(1, sizeof *stream);
    if (!stream)
        return im_fail_memory(err, path);
    stream->fd = -1;
    stream->path = im_strdup(path);
    stream->zlib.zalloc = take_memory;
    stream->zlib.zfree = give_memory;
    stream->started = stream->path && inflateInit2(&stream->zlib, GZIP_WINDOW) == Z_OK;
    if (!stream->started) {
        im_unpack_free(stream);
        return im_fail_memory(err, path);
    }
    stream->fd = fd;
    *out = stream;
    return IMSAT_OK;
}

void im_unpack_free(im_unpack *stream)
{
    if (!stream)
        return;
    if (stream->started)
        inflateEnd(&stream->zlib);
    if (stream->fd >= 0)
        close(stream->fd);
    im_free(stream->path);
    im_free(stream);
}

/* Have some input, unless the file has ended. */
static imsat_status refill(im_unpack *s, imsat_error *err)
{
    if (s->zlib.avail_in)
        return IMSAT_OK;
    ssize_t count;
    do
        count = read(s->fd, s->input, INPUT);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return im_fail_file(err, s->path);
    s->zlib.next_in = s->input;
    s->zlib.avail_in = (unsigned)count;
    s->consumed += (size_t)count;
    return IMSAT_OK;
}

/* Behind a member: go to the next one, or to the end. */
static imsat_status begin_member(im_unpack *s, imsat_error *err)
{
    z_stream *z = &s->zlib;
    if (z->avail_in == 0) {
        s->ended = true;
        return IMSAT_OK;
    }
    if (*z->next_in == 0) {
        z->next_in++;
        z->avail_in--;
        return IMSAT_OK;
    }
    if (*z->next_in != MAGIC[0])
        return im_fail(
            err, IMSAT_EFORMAT,
            "%s: at byte %zu the gzip data ends, but the file goes on with something "
            "else; it was damaged, or something was appended to it",
            s->path, s->consumed - z->avail_in);
    inflateReset(z);
    s->between = false;
    return IMSAT_OK;
}

/* Decompress some input to the room that zlib was given. */
static imsat_status inflate_some(im_unpack *s, imsat_error *err)
{
    if (s->zlib.avail_in == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: the gzip stream is cut short after %zu bytes",
                       s->path, s->delivered);
    const unsigned before = s->zlib.avail_out;
    const int code = inflate(&s->zlib, Z_NO_FLUSH);
    s->delivered += before - s->zlib.avail_out;
    s->between = code == Z_STREAM_END;
    if (code == Z_MEM_ERROR)
        return im_fail_memory(err, s->path);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: the gzip stream is damaged after %zu bytes: %s", s->path,
                       s->delivered, s->zlib.msg ? s->zlib.msg : "no dictionary");
    return IMSAT_OK;
}

imsat_status im_unpack_read(im_unpack *stream, void *to, size_t size, size_t *got,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t first = stream->delivered;
    size_t done = 0;
    while (done < size && !stream->ended) {
        stream->zlib.next_out = (unsigned char *)to + done;
        stream->zlib.avail_out = (unsigned)im_size_min(size - done, MOST_AT_ONCE);
        IM_TRY(refill(stream, err));
        IM_TRY(stream->between ? begin_member(stream, err) : inflate_some(stream, err));
        done = stream->delivered - first;
    }
    *got = done;

cleanup:
    return st;
}
