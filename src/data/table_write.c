/* SPDX-License-Identifier: MIT
 *
 * Rows as text: CSV and TSV with a header, and JSON lines.
 *
 *     label,p0,p1          {"label":0,"p":[0.75,0.25]}
 *     0,0.75,0.25
 *
 * A list is a column for each of its values in a table, and an array in JSON. Numbers are read
 * back to the same floats or doubles (number.h); what is not finite is an empty field, or
 * null. Names are quoted as RFC 4180 says where they must be.
 */
#include "data/output.h"

#include <stdio.h>
#include <string.h>

static imsat_status put_text(imsat_output *out, const char *text, imsat_error *err)
{
    return im_writer_put(&out->writer, text, strlen(text), err);
}

/* ---- tables -------------------------------------------------------------------- */

static const char *separator_of(const imsat_output *out)
{
    return out->format == &im_tsv_output ? "\t" : ",";
}

/* A name and a number behind it, in quotes if it has what separates fields or lines. */
static imsat_status put_name(imsat_output *out, const char *name, const char *number,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool plain = !strpbrk(name, "\"\r\n") && !strstr(name, separator_of(out));
    IM_TRY(put_text(out, plain ? "" : "\"", err));
    for (const char *at = name; *at; at++) {
        if (*at == '"')
            IM_TRY(put_text(out, "\"", err));
        IM_TRY(im_writer_put(&out->writer, at, 1, err));
    }
    IM_TRY(put_text(out, number, err));
    IM_TRY(put_text(out, plain ? "" : "\"", err));

cleanup:
    return st;
}

/* The names of a column's values. */
static imsat_status put_names(imsat_output *out, const im_output_column *column,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char number[IM_NUMBER_ROOM];
    for (size_t j = 0; j < im_output_width(column); j++) {
        const char *own = column->names ? column->names[j] : NULL;
        if (j > 0)
            IM_TRY(put_text(out, separator_of(out), err));
        snprintf(number, sizeof number, "%zu", j);
        IM_TRY(
            put_name(out, own ? own : column->name, own || !column->width ? "" : number, err));
    }

cleanup:
    return st;
}

static imsat_status begin_table(imsat_output *out, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t c = 0; c < out->ncolumns; c++) {
        if (c > 0)
            IM_TRY(put_text(out, separator_of(out), err));
        IM_TRY(put_names(out, &out->columns[c], err));
    }
    IM_TRY(put_text(out, "\n", err));

cleanup:
    return st;
}

/* ---- JSON ----------------------------------------------------------------------- */

static imsat_status begin_json(imsat_output *out, imsat_error *err)
{
    (void)out;
    (void)err;
    return IMSAT_OK;
}

/* A name in quotes, and a colon. */
static imsat_status put_member(imsat_output *out, const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char escaped[8];
    IM_TRY(put_text(out, "\"", err));
    for (const char *at = name; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c < ' ')
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
        else
            snprintf(escaped, sizeof escaped, c == '"' || c == '\\' ? "\\%c" : "%c", *at);
        IM_TRY(put_text(out, escaped, err));
    }
    IM_TRY(put_text(out, "\":", err));

cleanup:
    return st;
}

/* ---- rows of both ------------------------------------------------------------------ */

/* The values of a column in a row, `between` between them. */
static imsat_status put_values(imsat_output *out, const im_output_column *column,
                               const void *values, size_t row, const char *between,
                               const char *none, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = im_output_width(column);
    char text[IM_NUMBER_ROOM];
    for (size_t j = 0; j < width; j++) {
        if (j > 0)
            IM_TRY(put_text(out, between, err));
        const size_t size = im_output_value(text, column, values, row * width + j);
        IM_TRY(size ? im_writer_put(&out->writer, text, size, err) : put_text(out, none, err));
    }

cleanup:
    return st;
}

static imsat_status put_table(imsat_output *out, const im_output_piece *piece,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *between = separator_of(out);
    for (size_t i = 0; i < piece->count; i++) {
        for (size_t c = 0; c < out->ncolumns; c++) {
            if (c > 0)
                IM_TRY(put_text(out, between, err));
            IM_TRY(put_values(out, &out->columns[c], piece->values[c], i, between, "", err));
        }
        IM_TRY(put_text(out, "\n", err));
    }

cleanup:
    return st;
}

static imsat_status put_json(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < piece->count; i++) {
        for (size_t c = 0; c < out->ncolumns; c++) {
            const im_output_column *column = &out->columns[c];
            IM_TRY(put_text(out, c > 0 ? "," : "{", err));
            IM_TRY(put_member(out, column->name, err));
            IM_TRY(put_text(out, column->width ? "[" : "", err));
            IM_TRY(put_values(out, column, piece->values[c], i, ",", "null", err));
            IM_TRY(put_text(out, column->width ? "]" : "", err));
        }
        IM_TRY(put_text(out, "}\n", err));
    }

cleanup:
    return st;
}

#define TABLE(ID, WHAT, ENDING)                                                               \
    {                                                                                         \
        .shown = {.name = ID, .summary = WHAT, .endings = ENDING, .text = 1, .results = 1},   \
        .most_columns = SIZE_MAX, .begin = begin_table, .put = put_table                      \
    }

const im_output_format im_csv_output = TABLE("csv", "a table as text, with commas", ".csv");
const im_output_format im_tsv_output = TABLE("tsv", "a table as text, with tabs", ".tsv");

const im_output_format im_jsonl_output = {.shown = {.name = "jsonl",
                                                    .summary = "JSON lines, an object a row",
                                                    .endings = ".jsonl .ndjson",
                                                    .text = 1,
                                                    .results = 1},
                                          .most_columns = SIZE_MAX,
                                          .begin = begin_json,
                                          .put = put_json};
