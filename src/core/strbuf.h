/* SPDX-License-Identifier: MIT
 *
 * A text that grows at its end: figures, pages and tables are put together in one. Running out
 * of memory is remembered, and told once at the end, so that what writes needs no status.
 */
#ifndef IM_CORE_STRBUF_H
#define IM_CORE_STRBUF_H

#include "imsat/imsat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Empty when all 0. */
typedef struct im_strbuf {
    char *text; /* (room) owned, ends in a 0 behind `used`; NULL while it is empty */
    size_t used, room;
    bool failed; /* there was no memory: what follows is dropped */
} im_strbuf;

void im_strbuf_put(im_strbuf *out, const char *text);
void im_strbuf_bytes(im_strbuf *out, const char *text, size_t size);
void im_strbuf_count(im_strbuf *out, uint64_t count);

/* By printf, for text and whole numbers: the point of others depends on the locale, and
 * im_strbuf_fixed() has its own. */
__attribute__((format(printf, 2, 3))) void im_strbuf_format(im_strbuf *out, const char *format,
                                                            ...);

/* A number rounded to `decimals`, at most 9, digits behind the point; zeros at the end of them
 * are left out. What is not finite is "nan", "inf" or "-inf", and what has more than 15
 * digits before the point has an exponent. */
void im_strbuf_fixed(im_strbuf *out, double value, unsigned decimals);

/* The same with all its decimals: "84.10". */
void im_strbuf_padded(im_strbuf *out, double value, unsigned decimals);

/* Text as XML and HTML show it, within an element or an attribute in quotes of either kind:
 * markup is escaped, what is not UTF-8 is taken for Latin-1, and a character that XML does not
 * allow becomes U+FFFD. */
void im_strbuf_escape(im_strbuf *out, const char *text);
void im_strbuf_escape_bytes(im_strbuf *out, const char *text, size_t size);

/* Bytes as base64, with = at the end as needed. */
void im_strbuf_base64(im_strbuf *out, const void *bytes, size_t size);

/* Whether everything was put: IMSAT_OK, or IMSAT_ENOMEM with a message; `what` completes "no
 * memory for ...". */
imsat_status im_strbuf_check(const im_strbuf *out, const char *what, imsat_error *err);

/* Write it to a file, which is replaced as a whole (core/writer.h). */
imsat_status im_strbuf_save(const im_strbuf *out, const char *path, imsat_error *err);

void im_strbuf_clear(im_strbuf *out);

#endif
