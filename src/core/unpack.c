/* SPDX-License-Identifier: MIT
 *
 * Compressed files; see unpack.h. What decompresses is in unpack_gzip.c and its siblings.
 *
 * A file is one or more members, each with its own checksum. The libraries' own readers would
 * end without a word where the next member does not begin as one (zlib's gzread()), and so
 * drop what was damaged there; here that is an error.
 */
#define _GNU_SOURCE
#include "core/unpack.h"

#include "core/alloc.h"
#include "core/memory.h"
#include "core/transfer.h"
#include "core/unpack_codec.h"
#include "imsat/process.h"

#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

enum { INPUT = 1 << 16 };

/* A new way of compression is a new line. */
static const im_unpack_codec *const codecs[] = {&im_unpack_gzip, &im_unpack_zstd,
                                                &im_unpack_xz, &im_unpack_bzip2};

enum { CODECS = sizeof codecs / sizeof *codecs };

struct im_unpack {
    int fd; /* or -1: all input is here */
    char *path;
    const im_unpack_codec *codec;
    void *decoder;
    im_unpack_flow flow;
    bool between;     /* a member has ended; another one, zeros or the end may follow */
    bool ended;       /* so has the file */
    size_t consumed;  /* bytes of the file that were read to `input` */
    size_t delivered; /* bytes that were decompressed */
    size_t most;      /* that may be */
    bool is_member;   /* of an archive, which says what must come out: */
    size_t size;
    uint32_t crc, crc_so_far;
    unsigned char input[INPUT];
};

/* As imsat_set_max_unpacked() was called; 0: by the memory. */
static atomic_size_t wanted_most;

void imsat_set_max_unpacked(size_t bytes)
{
    atomic_store(&wanted_most, bytes);
}

static size_t find_most(void)
{
    const size_t wanted = atomic_load(&wanted_most), least = (size_t)1 << 30;
    if (wanted)
        return wanted;
    const size_t half = im_memory() / 2;
    return half > least ? half : least;
}

static const im_unpack_codec *find_codec(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < CODECS; i++)
        if (codecs[i]->knows(head, size))
            return codecs[i];
    return NULL;
}

bool im_unpack_knows(const unsigned char *head, size_t size)
{
    return find_codec(head, size) != NULL;
}

/* Have some input, unless the file has ended. */
static imsat_status refill(im_unpack *s, imsat_error *err)
{
    if (s->flow.in_size || s->fd < 0)
        return IMSAT_OK;
    size_t count;
    if (!im_transfer_read_at(s->fd, s->input, INPUT, s->consumed, &count))
        return im_fail_file(err, s->path);
    s->flow.in = s->input;
    s->flow.in_size = count;
    s->consumed += count;
    return IMSAT_OK;
}

/* Have a decoder at the start of a member. */
static imsat_status begin(im_unpack *s, imsat_error *err)
{
    s->decoder = s->codec->start();
    return s->decoder ? IMSAT_OK : im_fail_memory(err, s->path);
}

/* Look at the first bytes, and have a decoder for them. */
static imsat_status find_decoder(im_unpack *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(refill(s, err));
    s->codec = find_codec(s->flow.in, s->flow.in_size);
    if (!s->codec)
        return im_fail(err, IMSAT_EFORMAT, "%s: is not compressed in a way that imsat knows",
                       s->path);
    if (!s->codec->start)
        return im_feature_refuse(s->codec->feature, s->path, err);
    IM_TRY(begin(s, err));

cleanup:
    return st;
}

/* A stream with nothing but its name and its limit. */
static imsat_status new_stream(im_unpack **out, const char *path, imsat_error *err)
{
    im_unpack *stream = im_alloc(1, sizeof *stream);
    if (!stream)
        return im_fail_memory(err, path);
    stream->fd = -1;
    stream->most = find_most();
    stream->path = im_strdup(path);
    if (!stream->path) {
        im_free(stream);
        return im_fail_memory(err, path);
    }
    *out = stream;
    return IMSAT_OK;
}

imsat_status im_unpack_open(im_unpack **out, int fd, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_unpack *stream = NULL;
    IM_TRY(new_stream(&stream, path, err));
    stream->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (stream->fd < 0) {
        st = im_fail_file(err, path);
        goto cleanup;
    }
    IM_TRY(find_decoder(stream, err));
    *out = stream;
    stream = NULL;

cleanup:
    im_unpack_free(stream);
    return st;
}

/* A stream over bytes that are all in memory. */
static imsat_status open_memory(im_unpack **out, const im_unpack_codec *codec,
                                const unsigned char *data, size_t size, const char *path,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_unpack *stream = NULL;
    IM_TRY(new_stream(&stream, path, err));
    stream->codec = codec;
    stream->flow.in = data;
    stream->flow.in_size = stream->consumed = size;
    IM_TRY(begin(stream, err));
    *out = stream;
    stream = NULL;

cleanup:
    im_unpack_free(stream);
    return st;
}

imsat_status im_unpack_open_member(im_unpack **out, const im_unpack_member *member,
                                   const char *path, imsat_error *err)
{
    const imsat_status st =
        open_memory(out, &im_unpack_deflate, member->data, member->packed, path, err);
    if (st != IMSAT_OK)
        return st;
    (*out)->is_member = true;
    (*out)->size = member->size;
    (*out)->crc = member->crc;
    return IMSAT_OK;
}

imsat_status im_unpack_open_zlib(im_unpack **out, const unsigned char *data, size_t size,
                                 const char *path, imsat_error *err)
{
    return open_memory(out, &im_unpack_zlib, data, size, path, err);
}

void im_unpack_free(im_unpack *stream)
{
    if (!stream)
        return;
    if (stream->decoder)
        stream->codec->end(stream->decoder);
    if (stream->fd >= 0)
        close(stream->fd);
    im_free(stream->path);
    im_free(stream);
}

static imsat_status afford(size_t size, size_t most, const char *path, imsat_error *err)
{
    if (size <= most)
        return IMSAT_OK;
    return im_fail(err, IMSAT_ENOMEM,
                   "%s: takes %zu bytes or more when it is decompressed, and may take %zu; if "
                   "it can be trusted, raise that by --max-unpacked",
                   path, size, most);
}

imsat_status im_unpack_afford(const im_unpack *stream, size_t size, imsat_error *err)
{
    return afford(size, stream->most, stream->path, err);
}

imsat_status im_unpack_afford_size(size_t size, const char *path, imsat_error *err)
{
    return afford(size, find_most(), path, err);
}

const char *im_unpack_path(const im_unpack *stream)
{
    return stream->path;
}

/* Behind a member: go to the next one, or to the end. */
static imsat_status begin_member(im_unpack *s, imsat_error *err)
{
    im_unpack_flow *flow = &s->flow;
    if (flow->in_size == 0) {
        s->ended = true;
        return IMSAT_OK;
    }
    if (*flow->in == 0) {
        flow->in++;
        flow->in_size--;
        return IMSAT_OK;
    }
    if (!s->codec->may_begin(*flow->in))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: at byte %zu the %s data ends, but the file goes on with something "
                       "else; it was damaged, or something was appended to it",
                       s->path, s->consumed - flow->in_size, s->codec->name);
    s->codec->end(s->decoder);
    s->between = false;
    return begin(s, err);
}

/* The message of a step that did not go well. */
static imsat_status refuse(const im_unpack *s, im_unpack_step step, imsat_error *err)
{
    if (step == IM_UNPACK_NO_MEMORY)
        return im_fail_memory(err, s->path);
    if (step == IM_UNPACK_TOO_LARGE)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: was compressed by %s in a way that takes more than %d MiB of "
                       "memory to decompress; compress it again (%s)",
                       s->path, s->codec->name, IM_UNPACK_MEMORY_MIB, s->codec->smaller);
    return im_fail(err, IMSAT_EFORMAT, "%s: the %s stream is damaged after %zu bytes: %s",
                   s->path, s->codec->name, s->delivered, s->flow.why);
}

/* Decompress some input to the room of the flow. */
static imsat_status unpack_some(im_unpack *s, imsat_error *err)
{
    const size_t in = s->flow.in_size, out = s->flow.out_size;
    const im_unpack_step step = s->codec->step(s->decoder, &s->flow);
    const size_t count = out - s->flow.out_size;
    s->delivered += count;
    if (s->is_member)
        s->crc_so_far = im_unpack_crc(s->crc_so_far, s->flow.out - count, count);
    s->between = step == IM_UNPACK_ENDED;
    if (step != IM_UNPACK_ENDED && step != IM_UNPACK_GOES_ON)
        return refuse(s, step, err);
    if (step == IM_UNPACK_GOES_ON && s->flow.in_size == in && s->flow.out_size == out) {
        assert(in == 0); /* a decoder that has input moves ahead */
        return im_fail(err, IMSAT_EFORMAT, "%s: the %s stream is cut short after %zu bytes",
                       s->path, s->codec->name, s->delivered);
    }
    return IMSAT_OK;
}

/* What came out of a member of an archive is what the archive says. */
static imsat_status check_member(const im_unpack *s, imsat_error *err)
{
    if (!s->is_member)
        return IMSAT_OK;
    if (s->delivered > s->size || (s->ended && s->delivered < s->size))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: is damaged: %s than the %zu bytes that its archive says come out",
                       s->path, s->delivered > s->size ? "more" : "fewer", s->size);
    if (s->ended && s->crc_so_far != s->crc)
        return im_fail(err, IMSAT_EFORMAT, "%s: is damaged: its checksum is not the archive's",
                       s->path);
    return IMSAT_OK;
}

imsat_status im_unpack_read(im_unpack *stream, void *to, size_t size, size_t *got,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t first = stream->delivered;
    stream->flow.out = to;
    stream->flow.out_size = size;
    while (stream->flow.out_size && !stream->ended) {
        IM_TRY(refill(stream, err));
        IM_TRY(stream->between ? begin_member(stream, err) : unpack_some(stream, err));
    }
    IM_TRY(im_unpack_afford(stream, stream->delivered, err));
    IM_TRY(check_member(stream, err));
    *got = stream->delivered - first;

cleanup:
    return st;
}
