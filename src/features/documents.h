/* SPDX-License-Identifier: MIT
 *
 * Documents, one after another, out of what people keep them in:
 *
 *     a folder or a tar archive    each file is one, and the folder that it is in its label
 *     JSON lines                   an object a line, of which one member is the text
 *     CSV or TSV                   a record each, of which one column is the text; fields in
 *                                  quotes may go over several lines
 *     other text                   each line is one
 */
#ifndef IM_FEATURES_DOCUMENTS_H
#define IM_FEATURES_DOCUMENTS_H

#include "data/csv_split.h"
#include "data/member.h"

/* Takes a document. Any status but IMSAT_OK ends the visit. */
typedef imsat_status im_document_fn(void *context, const char *text, size_t size,
                                    imsat_error *err);

typedef struct im_documents {
    const char *path;
    const char *text_column;  /* member or column that is the text; NULL: "text" */
    const char *label_column; /* that is the label; NULL: none */
    im_member_labels *labels; /* the caller's, over several paths; its list may be NULL */
    im_document_fn *take;
    void *context; /* for it */
} im_documents;

/* Visit the documents of one path. */
imsat_status im_documents_each(const im_documents *documents, imsat_error *err);

/* Whether FILE or FILE:NAME holds documents and not rows of numbers: a folder or an archive
 * that does not begin with a picture; JSON lines whose first has a text called "text"; or any
 * table, if a text column was named. A pipe, which can be read only once, is left alone and
 * taken for rows of numbers. */
imsat_status im_documents_are(bool *out, const char *path, const char *text_column,
                              imsat_error *err);

/* ---- one format a file: json_lines.c, text_table.c -------------------------------------- */

/* Whether the file begins like an object of JSON. */
bool im_documents_are_json(const im_bytes *bytes);

/* The bytes are of no use afterwards. */
imsat_status im_documents_json(const im_documents *documents, im_bytes *bytes,
                               imsat_error *err);
imsat_status im_documents_table(const im_documents *documents, im_bytes *bytes,
                                imsat_error *err);

/* Hand a document over, with its label if that is wanted. */
imsat_status im_documents_put(const im_documents *documents, im_span text, im_span label,
                              imsat_error *err);

#endif
