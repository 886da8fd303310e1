/* SPDX-License-Identifier: MIT
 *
 * Files from the network; see imsat/sets.h. One request is the business of fetch_http.c.
 *
 * PATH.part has the first bytes of the file, and is locked while it is written to.
 * PATH.part.info has three lines: the address, the size, and what tells the file from a later
 * one at the same address (an ETag, or the date of its last change). It is written before the
 * first byte of the part is. A part goes on if it is of the same address and the server, asked
 * for the rest on that condition, sends just that. Everything else begins anew: a part without
 * that note, an answer with the whole file, a size that has changed.
 *
 * The hash is taken of what is on the disk in the end, not of what came.
 */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "core/path.h"
#include "core/sha256.h"
#include "core/transfer.h"
#include "data/fetch_http.h"
#include "imsat/sets.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 5, PATIENCE = 30, PAUSE = 1, LONGEST_PAUSE = 60, READ_ROOM = 1 << 16 };

typedef struct download {
    const char *url, *path;
    const imsat_fetch_options *options;
    char *part, *info;          /* names */
    int fd;                     /* of the part, or -1 */
    uint64_t size, kept, total; /* bytes of the part; at first; of the file, 0: not known */
    char validator[IM_FETCH_VALIDATOR]; /* of the file that this is a part of; "": none */
    unsigned failures;
    char why[IM_FETCH_WHY]; /* the last attempt failed; "": none did */
    char sha256[IM_SHA256_TEXT];
    bool stopped,
        anew; /* why a request was left: the caller's wish; what comes is of another file */
    imsat_status st;  /* or this failed, */
    imsat_error *err; /* and here is the message */
} download;

/* ---- progress ------------------------------------------------------------------------------
 */

/* Tell the caller; false if that is the wish to stop. `whole`: the file is under its name. */
static bool tell(download *d, bool whole)
{
    const imsat_fetch_options *o = d->options;
    const imsat_fetch_state state = {.url = d->url,
                                     .path = d->path,
                                     .bytes = d->size,
                                     .total = d->total,
                                     .kept = d->kept,
                                     .failures = d->failures,
                                     .trouble = *d->why ? d->why : NULL,
                                     .sha256 = whole ? d->sha256 : NULL,
                                     .compared = whole && o->sha256};
    if (o->progress && o->progress(o->progress_user, &state) != 0 && !whole)
        d->stopped = true;
    return !d->stopped;
}

static imsat_status stop(const download *d)
{
    return im_fail(d->err, IMSAT_ESTOPPED,
                   "%s: stopped; %llu bytes are in %s, and another call goes on from there",
                   d->url, (unsigned long long)d->size, d->part);
}

/* ---- the part, and the note on it
 * ----------------------------------------------------------- */

static imsat_status open_part(download *d)
{
    struct stat status;
    d->fd = open(d->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (d->fd < 0)
        return im_fail(d->err, IMSAT_EIO, "%s: cannot be written: %s", d->part,
                       strerror(errno));
    if (flock(d->fd, LOCK_EX | LOCK_NB) != 0)
        return im_fail(d->err, IMSAT_EIO,
                       "%s: another process is downloading it; wait until it is done",
                       d->part);
    if (fstat(d->fd, &status) != 0)
        return im_fail_file(d->err, d->part);
    d->size = (uint64_t)status.st_size;
    return IMSAT_OK;
}

/* Begin the part anew. */
static bool empty_part(download *d)
{
    d->size = d->kept = d->total = 0;
    d->validator[0] = '\0';
    if (ftruncate(d->fd, 0) == 0)
        return true;
    d->st = im_fail_file(d->err, d->part);
    return false;
}

static bool write_info(download *d)
{
    FILE *file = fopen(d->info, "we");
    const bool opened = file != NULL;
    bool good = opened && fprintf(file, "%s\n%llu\n%s\n", d->url, (unsigned long long)d->total,
                                  d->validator) > 0;
    good = opened && fclose(file) == 0 && good;
    if (!good)
        d->st = im_fail_file(d->err, d->info);
    return good;
}

/* The next line of a file without its end, "" if there is none or it is too long. */
static const char *next_line(FILE *file, char *line, int room)
{
    if (!fgets(line, room, file))
        return "";
    const size_t length = strcspn(line, "\n");
    if (line[length] != '\n')
        return "";
    line[length] = '\0';
    return line;
}

/* What the part is of. Without a note, or with one on another address, it is of nothing. */
static bool read_info(download *d)
{
    char line[4096];
    FILE *file = fopen(d->info, "re");
    bool same = false;
    if (file) {
        same = strcmp(next_line(file, line, sizeof line), d->url) == 0;
        d->total = strtoull(next_line(file, line, sizeof line), NULL, 10);
        snprintf(d->validator, sizeof d->validator, "%.*s", (int)sizeof d->validator - 1,
                 next_line(file, line, sizeof line));
        fclose(file);
    }
    /* Bytes that nothing tells from those of another file are kept if a checksum will. */
    const bool certain = *d->validator || d->options->sha256;
    if (same && certain && (d->total == 0 || d->size <= d->total)) {
        d->kept = d->size;
        return true;
    }
    return empty_part(d);
}

/* ---- one request
 * ---------------------------------------------------------------------------- */

static bool on_begin(void *user, const im_fetch_reply *reply)
{
    download *d = user;
    const bool whole_file = reply->first == 0;
    if (!whole_file && reply->first == d->size &&
        (d->total == 0 || reply->total == 0 || reply->total == d->total))
        return true; /* the rest */
    if (!whole_file) {
        d->anew = true;
        return false;
    }
    if (!empty_part(d))
        return false;
    d->total = reply->total;
    memcpy(d->validator, reply->validator, sizeof d->validator);
    return write_info(d);
}

static bool on_bytes(void *user, const void *bytes, size_t size)
{
    download *d = user;
    if (!im_transfer_write_at(d->fd, bytes, size, d->size)) {
        d->st = im_fail(d->err, IMSAT_EIO,
                        "%s: cannot be written: %s; what is there is kept, and another call "
                        "goes on from there",
                        d->part, strerror(errno));
        return false;
    }
    d->size += size;
    return true;
}

static bool on_moment(void *user)
{
    return tell(user, false);
}

static imsat_status request_rest(download *d, im_fetch_end *end)
{
    const double patience = d->options->patience;
    const im_fetch_request request = {.url = d->url,
                                      .from = d->size,
                                      .validator = d->validator,
                                      .patience = patience > 0 ? patience : PATIENCE,
                                      .begin = on_begin,
                                      .put = on_bytes,
                                      .goes_on = on_moment,
                                      .user = d};
    d->st = IMSAT_OK;
    d->anew = false;
    const imsat_status st = im_fetch_http(&request, end, d->why, d->err);
    return st != IMSAT_OK ? st : d->st;
}

/* ---- as many as it takes
 * ---------------------------------------------------------------------- */

/* Wait before the next attempt; false if the caller wishes to stop. */
static bool wait_a_while(download *d)
{
    const double pause = d->options->pause > 0 ? d->options->pause : PAUSE;
    double seconds = pause;
    for (unsigned i = 1; i < d->failures && seconds < LONGEST_PAUSE; i++)
        seconds *= 2;
    while (seconds > 0 && tell(d, false)) {
        const double some = seconds < 0.1 ? seconds : 0.1;
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * some)}, NULL);
        seconds -= some;
    }
    return !d->stopped;
}

static imsat_status give_up(const download *d)
{
    if (d->size == 0)
        return im_fail(d->err, IMSAT_EIO,
                       "%s: %s; look at the address and the connection, or put the file to %s "
                       "by other means",
                       d->url, d->why, d->path);
    return im_fail(d->err, IMSAT_EIO,
                   "%s: %s; %llu bytes are in %s, and another call goes on from there", d->url,
                   d->why, (unsigned long long)d->size, d->part);
}

/* Whether all is there, as far as is known. */
static bool is_whole(const download *d)
{
    return d->total > 0 && d->size == d->total;
}

/* One attempt. *done: the part is whole. Else it was in vain, or broke, and d->why says why.
 */
static imsat_status attempt(download *d, bool *done)
{
    im_fetch_end end = IM_FETCH_WHOLE;
    *done = is_whole(d);
    if (*done)
        return IMSAT_OK;
    const imsat_status st = request_rest(d, &end);
    if (st != IMSAT_OK)
        return st;
    if (end == IM_FETCH_REFUSED)
        return give_up(d);
    if (end == IM_FETCH_BEYOND || (end == IM_FETCH_LEFT && d->anew)) {
        snprintf(d->why, sizeof d->why, "what comes is not the rest of what is here");
        return empty_part(d) ? IMSAT_OK : d->st;
    }
    if (end == IM_FETCH_LEFT)
        return stop(d);
    *done = end == IM_FETCH_WHOLE && (d->total == 0 || is_whole(d));
    if (end == IM_FETCH_WHOLE && !*done) {
        snprintf(d->why, sizeof d->why, "it ended before all had come");
        if (d->size > d->total && !empty_part(d))
            return d->st;
    }
    return IMSAT_OK;
}

/* Until the part is whole. */
static imsat_status download_all(download *d)
{
    const unsigned attempts = d->options->attempts ? d->options->attempts : ATTEMPTS;
    for (;;) {
        bool done;
        const uint64_t before = d->size;
        const imsat_status st = attempt(d, &done);
        if (st != IMSAT_OK || done)
            return st;
        d->failures = d->size > before ? 1 : d->failures + 1;
        if (d->failures >= attempts && attempts > 0 && d->size <= before)
            return give_up(d);
        if (!wait_a_while(d))
            return stop(d);
    }
}

/* ---- the end
 * --------------------------------------------------------------------------------- */

static imsat_status hash_file(download *d, int fd, const char *name)
{
    imsat_status st = IMSAT_OK;
    im_sha256 hash;
    uint64_t at = 0;
    unsigned char *bytes = im_alloc_unset(READ_ROOM, 1);
    if (!bytes)
        return im_fail_memory(d->err, name);
    im_sha256_begin(&hash);
    for (;;) {
        size_t count;
        if (!im_transfer_read_at(fd, bytes, READ_ROOM, at, &count))
            st = im_fail_file(d->err, name);
        else if (!tell(d, false))
            st = stop(d);
        if (count == 0 || st != IMSAT_OK)
            break;
        im_sha256_add(&hash, bytes, count);
        at += count;
    }
    im_sha256_end(&hash, d->sha256);
    im_free(bytes);
    return st;
}

static bool is_right(const download *d)
{
    return !d->options->sha256 || strcasecmp(d->sha256, d->options->sha256) == 0;
}

/* Give the part its name, if it is what it must be. *again: it was put together from two
 * calls, and is not; all of it should come once more. */
static imsat_status finish(download *d, bool *again)
{
    *again = false;
    imsat_status st = hash_file(d, d->fd, d->part);
    if (st != IMSAT_OK)
        return st;
    if (!is_right(d)) {
        *again = d->kept > 0;
        if (!empty_part(d))
            return d->st;
        return *again
                   ? IMSAT_OK
                   : im_fail(d->err, IMSAT_EMISMATCH,
                             "%s: what came has the sha256 %s, not %s; it was damaged on the "
                             "way, or is another file by now: try again later, or elsewhere",
                             d->url, d->sha256, d->options->sha256);
    }
    if (fsync(d->fd) != 0 || rename(d->part, d->path) != 0)
        return im_fail(d->err, IMSAT_EIO, "%s: cannot be written: %s", d->path,
                       strerror(errno));
    unlink(d->info);
    tell(d, true);
    return IMSAT_OK;
}

/* The file is there: it must be the right one. */
static imsat_status check_present(download *d)
{
    struct stat status;
    const int fd = open(d->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (fd >= 0)
            close(fd);
        return im_fail(d->err, IMSAT_EIO, "%s: is there, and is not a file that can be read",
                       d->path);
    }
    d->size = d->kept = d->total = (uint64_t)status.st_size;
    imsat_status st = hash_file(d, fd, d->path);
    close(fd);
    if (st == IMSAT_OK && !is_right(d))
        st = im_fail(d->err, IMSAT_EMISMATCH,
                     "%s: is there, but has the sha256 %s, not %s; remove it to download it "
                     "again",
                     d->path, d->sha256, d->options->sha256);
    if (st == IMSAT_OK)
        tell(d, true);
    return st;
}

/* Nothing is left behind but a part that can go on. */
static void close_part(download *d)
{
    if (d->fd < 0)
        return;
    struct stat status;
    if (fstat(d->fd, &status) == 0 && status.st_size == 0 && status.st_nlink > 0) {
        unlink(d->part);
        unlink(d->info);
    }
    close(d->fd);
}

static imsat_status fetch_file(download *d)
{
    imsat_status st = IMSAT_OK;
    bool again = true;
    IM_TRY(open_part(d));
    if (!read_info(d))
        return d->st;
    while (again) {
        IM_TRY(download_all(d));
        IM_TRY(finish(d, &again));
    }

cleanup:
    return st;
}

static bool is_sha256(const char *text)
{
    return strspn(text, "0123456789abcdefABCDEF") == IM_SHA256_TEXT - 1 &&
           strlen(text) == IM_SHA256_TEXT - 1;
}

static imsat_status check_arguments(const char *url, const imsat_fetch_options *o,
                                    imsat_error *err)
{
    if (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0)
        return im_fail(err, IMSAT_EINVAL,
                       "'%s': an address to download from begins with http:// or https://",
                       url);
    if (o->sha256 && !is_sha256(o->sha256))
        return im_fail(err, IMSAT_EINVAL, "sha256 '%s': must be 64 hexadecimal digits",
                       o->sha256);
    if (!(o->pause >= 0 && isfinite(o->pause) && o->patience >= 0 && isfinite(o->patience)))
        return im_fail(err, IMSAT_EINVAL,
                       "pause %g, patience %g: must be numbers of seconds, 0 or more",
                       o->pause, o->patience);
    return IMSAT_OK;
}

imsat_status imsat_fetch(const char *url, const char *path, const imsat_fetch_options *options,
                         imsat_error *err)
{
    static const imsat_fetch_options none;
    imsat_status st = IMSAT_OK;
    IM_REQUIRE(url);
    IM_REQUIRE_PATH(path);
    const size_t room = strlen(path) + sizeof ".part.info";
    download d = {.url = url, .path = path, .options = options ? options : &none, .fd = -1};
    d.err = err;
    IM_TRY(check_arguments(url, d.options, err));
    d.part = im_alloc(room, 1);
    d.info = im_alloc(room, 1);
    if (!d.part || !d.info) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    snprintf(d.part, room, "%s.part", path);
    snprintf(d.info, room, "%s.part.info", path);
    IM_TRY(im_path_exists(path) ? check_present(&d) : fetch_file(&d));

cleanup:
    close_part(&d);
    im_free(d.part);
    im_free(d.info);
    return st;
}
