/* SPDX-License-Identifier: MIT
 * See excerpts.h. */
#include "report/excerpts.h"

#include "core/alloc.h"
#include "core/utf8.h"
#include "data/dataset.h"
#include "features/documents.h"

#include <strings.h>

/* ---- a text on one line
 * ---------------------------------------------------------------------
 */

static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

/* Whether a line is "Name: ...". */
static bool names_something(const char *at, const char *end)
{
    const char *from = at;
    while (at < end &&
           (*at == '-' || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')))
        at++;
    return at > from && end - at > 1 && at[0] == ':' && at[1] == ' ';
}

/* Where the header of a mail or an article ends, at a blank line; NULL: it has none. */
static const char *header_end(const char *text, const char *end)
{
    const char *at = text;
    if (!names_something(text, end))
        return NULL;
    while (at < end && *at != '\n' && *at != '\r') {
        at = line_end(at, end);
        at += at < end;
    }
    return at < end ? at : NULL;
}

/* Put characters with one blank for any number; returns the bytes that are left of `most`, 0
 * if the text did not fit. */
static size_t put_line(im_strbuf *out, const char *at, const char *end, size_t most)
{
    bool blank = true;
    while (at < end) {
        const uint32_t c = im_utf8_next(&at, end);
        const bool space = c <= 0x20 || c == 0x7f || c == 0xa0;
        char bytes[IM_UTF8_MOST];
        const size_t size = im_utf8_put(bytes, space ? ' ' : c);
        if (space && blank)
            continue;
        blank = space;
        if (size > most)
            return 0;
        im_strbuf_bytes(out, bytes, size);
        most -= size;
    }
    return most;
}

/* Put the subject of a header; returns the bytes that are left. */
static size_t put_subject(im_strbuf *out, const char *at, const char *end, size_t most)
{
    static const char name[] = "Subject: ", between[] = " \xc2\xb7 ";
    while (at < end) {
        const char *stop = line_end(at, end);
        if ((size_t)(stop - at) >= sizeof name &&
            strncasecmp(at, name, sizeof name - 1) == 0) {
            most = put_line(out, at + sizeof name - 1, stop, most);
            if (most < sizeof between)
                return 0;
            im_strbuf_put(out, between);
            return most - sizeof between;
        }
        at = stop + 1;
    }
    return most;
}

void im_excerpts_cut(im_strbuf *out, const char *text, size_t size, size_t most)
{
    if (most == 0 || put_line(out, text, text + size, most) == 0)
        im_strbuf_put(out, "\xe2\x80\xa6");
}

void im_excerpts_put(im_strbuf *out, const char *text, size_t size, size_t most)
{
    const char *end = text + size, *body = header_end(text, end);
    if (body)
        most = put_subject(out, text, body, most);
    else
        body = text;
    im_excerpts_cut(out, body, (size_t)(end - body), most);
}

/* ---- from the files
 * -------------------------------------------------------------------------
 */

typedef struct reader {
    im_excerpts *out;
    const int32_t *documents; /* of all rows; NULL: row i is of document i */
    size_t number;            /* of the next document */
    size_t next;              /* of the rows that wait */
} reader;

static imsat_status take(void *context, const char *text, size_t size, imsat_error *err)
{
    reader *r = context;
    im_excerpts *out = r->out;
    const size_t number = r->number++;
    if (r->next == out->count)
        return IMSAT_OK;
    const size_t row = out->rows[r->next];
    if ((r->documents ? (size_t)r->documents[row] : row) != number)
        return IMSAT_OK;
    out->start[r->next++] = out->text.used;
    im_excerpts_put(&out->text, text, size, IM_EXCERPTS_LONGEST);
    im_strbuf_bytes(&out->text, "", 1);
    return im_strbuf_check(&out->text, "the texts of the report", err);
}

imsat_status im_excerpts_read(im_excerpts *out, const imsat_data *data, const size_t *rows,
                              size_t count, const char *const *paths, size_t npaths,
                              const char *text_column, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_excerpts e = {.count = count};
    reader r = {.out = &e, .documents = imsat_data_documents(data)};
    im_member_labels labels = {0};
    e.rows = im_alloc(count, sizeof *e.rows);
    e.start = im_alloc(count, sizeof *e.start);
    if (!e.rows || !e.start) {
        st = im_fail_memory(err, "the texts of the report");
        goto cleanup;
    }
    memcpy(e.rows, rows, count * sizeof *rows);
    im_strbuf_bytes(&e.text, "", 1);
    for (size_t i = 0; i < npaths; i++) {
        const im_documents documents = {paths[i], text_column, NULL, &labels, take, &r};
        IM_TRY(im_documents_each(&documents, err));
    }
    *out = e;
    e = (im_excerpts){0};

cleanup:
    im_member_labels_clear(&labels);
    im_excerpts_clear(&e);
    return st;
}

void im_excerpts_clear(im_excerpts *excerpts)
{
    im_free(excerpts->rows);
    im_free(excerpts->start);
    im_strbuf_clear(&excerpts->text);
    *excerpts = (im_excerpts){0};
}

const char *im_excerpts_of(const im_excerpts *excerpts, size_t row)
{
    size_t low = 0, high = excerpts->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (excerpts->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < excerpts->count && excerpts->rows[low] == row;
    return found && excerpts->start[low] ? excerpts->text.text + excerpts->start[low] : NULL;
}
