/* SPDX-License-Identifier: MIT
 *
 * A server of HTTP on this machine, for the tests of downloads: it has one file, under any
 * name, and does wrong on demand. It answers one request at a time, each on a connection of
 * its own.
 */
#ifndef TESTS_WEB_H
#define TESTS_WEB_H

#include <stdbool.h>
#include <stddef.h>

/* What it does at a request. All zero: it sends the file, or the part that is asked for if the
 * request is for the file that it has, with its ETag. */
typedef struct web_act {
    int status;           /* another one, with a page for people instead of the file */
    const char *location; /* a redirection to there */
    const char *headers;  /* in place of the ETag: lines, each with its "\r\n" */
    size_t cut;           /* close the connection after so many bytes; 0: not */
    size_t stall;         /* be silent after so many bytes; 0: not */
    size_t flip;          /* this byte of the file, from 1, is wrong */
    size_t shift;         /* a range begins so many bytes behind what was asked for */
    bool whole;           /* ranges are not known */
    bool no_length;       /* the end of the connection is the end of the file */
} web_act;

/* Serve these bytes, which are borrowed, with this ETag. */
void web_start(const void *bytes, size_t size, const char *etag);
void web_stop(void);

/* What it does at the next requests, in order; then all is well. Forgets earlier requests. */
void web_script(const web_act *acts, size_t count);

/* The address of a file; valid until the next call but three. */
const char *web_url(const char *name);

/* How many requests came since the script, and number i of them, from 0: its lines. */
size_t web_requests(void);
const char *web_request(size_t i);

#endif
