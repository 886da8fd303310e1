/* SPDX-License-Identifier: MIT
 *
 * The rows of a text file as they are written: lines of a table of numbers, records of a table
 * of texts, whose fields in quotes may go over lines, and lines of JSON. What is no row, blank
 * lines and comments, is skipped as those skip it who read the values.
 */
#ifndef IM_FEATURES_RECORDS_H
#define IM_FEATURES_RECORDS_H

#include "data/csv_lines.h"
#include "data/reader.h"

typedef enum im_records_kind {
    IM_RECORDS_TABLE, /* data/csv.c */
    IM_RECORDS_TEXTS, /* features/text_table.c */
    IM_RECORDS_JSON   /* features/json_lines.c */
} im_records_kind;

typedef struct im_records {
    im_records_kind kind;
    im_reader_file file;
    im_csv_lines lines; /* of a table */
    im_text text;       /* of JSON */
    im_csv rest;        /* of texts: what is left of them */
    char separator;     /* of fields */
    bool carriage;      /* the last record ended in CR LF */
} im_records;

imsat_status im_records_open(im_records *out, im_records_kind kind, const char *path,
                             imsat_error *err);

/* The next one, without its end, the header included; *found false: there is none. It is here
 * until the next call. */
imsat_status im_records_next(im_records *records, im_span *record, bool *found,
                             imsat_error *err);

/* What came of it, if the file was lost meanwhile. */
imsat_status im_records_check(const im_records *records, imsat_status st, imsat_error *err);

void im_records_close(im_records *records);

#endif
