/* SPDX-License-Identifier: MIT
 *
 * The beginnings of texts that rows were made of, read again from their files. Data keeps the
 * number of the document of each row, not the document.
 */
#ifndef IM_REPORT_EXCERPTS_H
#define IM_REPORT_EXCERPTS_H

#include "core/strbuf.h"
#include "imsat/features.h"

enum { IM_EXCERPTS_LONGEST = 280 }; /* bytes of one */

typedef struct im_excerpts {
    size_t count;
    size_t *rows;  /* (count) owned: ascending */
    size_t *start; /* (count) owned: where the text of each begins in `text`; 0: it has none */
    im_strbuf text; /* each ends in a 0 */
} im_excerpts;

/* Of these rows (count), ascending and each once. Documents that are not in the files any more
 * have no text. */
imsat_status im_excerpts_read(im_excerpts *out, const imsat_data *data, const size_t *rows,
                              size_t count, const char *const *paths, size_t npaths,
                              const char *text_column, imsat_error *err);
void im_excerpts_clear(im_excerpts *excerpts);

/* The text of a row; NULL: it has none, or was not asked for. */
const char *im_excerpts_of(const im_excerpts *excerpts, size_t row);

/* Put a text on one line, of at most `most` bytes: an ellipsis tells that it goes on. */
void im_excerpts_cut(im_strbuf *out, const char *text, size_t size, size_t most);

/* The same, but of a mail or an article of news, its subject, and then what is behind its
 * header. */
void im_excerpts_put(im_strbuf *out, const char *text, size_t size, size_t most);

#endif
