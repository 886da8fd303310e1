/* SPDX-License-Identifier: MIT
 *
 * What the tests of downloads share: a file to download, the server that has it (web.h), where
 * it goes to, and a watch on what is told on the way.
 */
#ifndef TESTS_FETCHING_H
#define TESTS_FETCHING_H

#include "core/sha256.h"
#include "imsat/sets.h"
#include "support.h"
#include "web.h"

enum { FETCHED = 300007 }; /* bytes of the file: more than one buffer of libcurl */

extern unsigned char fetch_content[FETCHED], fetch_other[FETCHED]; /* and of another one */
extern char fetch_sha256[IM_SHA256_TEXT];                          /* of the content */
extern char fetch_path[512], fetch_part[512], fetch_info[512];     /* in the tests' folder */

/* Group fixtures: the contents, and the folder. */
int fetch_prepare(void **state);

/* Fixtures of a test: the server; and it is stopped, and what is in the folder goes. */
int fetch_start(void **state);
int fetch_end(void **state);

/* What is told of a download, and when to stop it. */
typedef struct watch {
    uint64_t stop_at; /* bytes that are there; 0: never */
    bool present;     /* the file is there before the download */
    size_t calls, whole;
    uint64_t kept;
    int compared;
    unsigned failures; /* the most */
    char sha256[IM_SHA256_TEXT], trouble[256];
} watch;

/* Options of a download that must have the right checksum, is watched, and does not wait. */
imsat_fetch_options watched(watch *w);

/* Download the file. */
imsat_status fetch(const imsat_fetch_options *options, imsat_error *err);
void fetch_well(const imsat_fetch_options *options);

/* The file is there, whole, and nothing else is; it was told of once. */
void assert_fetched(const watch *w);

/* The first `size` bytes of it are the part, and it is not there. */
void assert_part(size_t size);

/* Request number i had this line. */
void assert_asked_for(size_t i, const char *line);

#endif
