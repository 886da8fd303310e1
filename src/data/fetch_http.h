/* SPDX-License-Identifier: MIT
 *
 * One request of HTTP, and what came of it. Whether to try again, and what is done with the
 * bytes, is the business of fetch.c.
 *
 * Prefixes: im_fetch_.
 */
#ifndef IM_DATA_FETCH_HTTP_H
#define IM_DATA_FETCH_HTTP_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IM_FETCH_VALIDATOR = 256, IM_FETCH_WHY = 512 };

/* What a server says before the bytes. */
typedef struct im_fetch_reply {
    uint64_t first;                     /* which byte of the file comes first */
    uint64_t total;                     /* bytes of the file; 0: it does not say */
    char validator[IM_FETCH_VALIDATOR]; /* what tells this file from a later one, for If-Range;
                                           "": nothing does */
} im_fetch_reply;

typedef struct im_fetch_request {
    const char *url;
    uint64_t from;         /* the first byte that is wanted */
    const char *validator; /* of the file that it must be a part of; "" or NULL: any */
    double patience;       /* seconds without a byte */

    /* Called in this order, each with `user`; false ends the request: once when the server has
     * said what comes; with the bytes; and often in between. */
    bool (*begin)(void *user, const im_fetch_reply *reply);
    bool (*put)(void *user, const void *bytes, size_t size);
    bool (*goes_on)(void *user);
    void *user;
} im_fetch_request;

typedef enum im_fetch_end {
    IM_FETCH_WHOLE,   /* all came that was to come */
    IM_FETCH_BROKEN,  /* it did not, and might if it is tried again */
    IM_FETCH_BEYOND,  /* the file has no byte `from` */
    IM_FETCH_REFUSED, /* it will not */
    IM_FETCH_LEFT     /* a function above returned false */
} im_fetch_end;

/* Send a request. *end says how it ended, and `why` what went wrong: "the server says 404".
 * Fails only if it could not be sent: without libcurl, or without memory. */
imsat_status im_fetch_http(const im_fetch_request *request, im_fetch_end *end,
                           char why[IM_FETCH_WHY], imsat_error *err);

#endif
