/* SPDX-License-Identifier: MIT
 * Rows as they are written; see records.h. */
#include "features/records.h"

#include <string.h>

imsat_status im_records_open(im_records *out, im_records_kind kind, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_records *r = out;
    *r = (im_records){.kind = kind, .lines = {.path = path, .err = err}};
    IM_TRY(im_reader_open(&r->file, path, err));
    if (kind == IM_RECORDS_TABLE) {
        IM_TRY(im_csv_begin(&r->lines, &r->file.bytes));
        r->separator = r->lines.csv.separator;
    } else if (kind == IM_RECORDS_JSON) {
        IM_TRY(im_text_begin(&r->text, &r->file.bytes, err));
    } else {
        IM_TRY(im_bytes_all(&r->file.bytes, err));
        const im_span all = {(const char *)r->file.bytes.data, r->file.bytes.size};
        im_csv_start(&r->rest, all, path);
        r->separator = r->rest.separator == ' ' ? ',' : r->rest.separator;
    }

cleanup:
    if (st != IMSAT_OK)
        im_records_close(r);
    return st;
}

void im_records_close(im_records *records)
{
    im_csv_end(&records->lines);
    im_text_clear(&records->text);
    im_reader_close(&records->file);
    *records = (im_records){0};
}

imsat_status im_records_check(const im_records *records, imsat_status st, imsat_error *err)
{
    return im_bytes_check(&records->file.bytes, st, err);
}

static bool is_blank(const char *line, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", line[size - 1]) && line[size - 1])
        size--;
    return size == 0;
}

/* A line of a table is without its end, but that is still here behind it. */
static imsat_status next_line(im_records *r, im_span *record, bool *found, imsat_error *err)
{
    r->lines.err = err;
    const imsat_status st = im_csv_next_line(&r->lines, record, found);
    if (st == IMSAT_OK && *found) {
        const char *end = record->at + record->size;
        r->carriage = end < r->lines.text.end && *end == '\r';
    }
    return st;
}

static imsat_status next_json(im_records *r, im_span *record, bool *found, imsat_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    imsat_status st = IMSAT_OK;
    const char *line = NULL;
    size_t size = 0;
    do {
        const bool first = r->text.line == 0;
        IM_TRY(im_text_line(&r->text, &line, &size, err));
        if (first && size >= 3 && memcmp(line, mark, 3) == 0)
            line += 3, size -= 3;
    } while (line && is_blank(line, size));
    *found = line != NULL;
    *record = (im_span){line, size};
    r->carriage = line && line + size < r->text.end && line[size] == '\r';

cleanup:
    return st;
}

/* To the next end of a line that is not within quotes. */
static void next_texts(im_records *r, im_span *record, bool *found)
{
    im_csv *rest = &r->rest;
    bool quoted = false;
    while (rest->at < rest->end && (*rest->at == '\n' || *rest->at == '\r'))
        rest->at++;
    const char *start = rest->at;
    while (rest->at < rest->end && (quoted || *rest->at != '\n')) {
        quoted ^= *rest->at == '"';
        rest->at++;
    }
    r->carriage = rest->at > start && rest->at[-1] == '\r';
    *found = rest->at > start;
    *record = (im_span){start, (size_t)(rest->at - start) - r->carriage};
}

imsat_status im_records_next(im_records *records, im_span *record, bool *found,
                             imsat_error *err)
{
    if (records->kind == IM_RECORDS_TABLE)
        return next_line(records, record, found, err);
    if (records->kind == IM_RECORDS_JSON)
        return next_json(records, record, found, err);
    next_texts(records, record, found);
    return IMSAT_OK;
}
