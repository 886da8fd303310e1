/* SPDX-License-Identifier: MIT
 *
 * Data for the page's script: JSON within <script type="application/json">. The browser reads
 * such an element up to "</script", so a "<" never stands there as it is; U+2028 and U+2029,
 * which were ends of lines in scripts, do not either.
 */
#ifndef IM_REPORT_SCRIPT_H
#define IM_REPORT_SCRIPT_H

#include "core/strbuf.h"

/* A string in quotes. What is not UTF-8 is taken for Latin-1. */
void im_script_text(im_strbuf *out, const char *text);
void im_script_text_bytes(im_strbuf *out, const char *text, size_t size);

/* The base64 of the SHA-256 of a text: what a Content-Security-Policy allows a script or a
 * style by. */
void im_script_hash(im_strbuf *out, const char *text);

#endif
