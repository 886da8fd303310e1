/* SPDX-License-Identifier: MIT
 *
 * The page as text, section by section, each in a file of its own. Where rows, columns and
 * words come from data, they are put by im_strbuf_escape() or im_script_text().
 *
 * No element has an attribute of style or an event: the page's Content-Security-Policy allows
 * nothing but the one style and the one script that are its own.
 */
#ifndef IM_REPORT_PAGE_H
#define IM_REPORT_PAGE_H

#include "plot/plot.h"
#include "report/material.h"

/* The whole page. Refused if it is larger than it may be. */
imsat_status im_page_write(im_strbuf *out, im_material *material, imsat_error *err);

/* ---- sections -----------------------------------------------------------------------------
 */

void im_page_found(im_strbuf *out, const im_material *material);
void im_page_map(im_strbuf *out, const im_material *material);
imsat_status im_page_clusters(im_strbuf *out, im_material *material, imsat_error *err);
void im_page_sizes(im_strbuf *out, const im_material *material);
void im_page_training(im_strbuf *out, const im_material *material);
void im_page_classes(im_strbuf *out, const im_material *material);
void im_page_search(im_strbuf *out, const im_material *material);
void im_page_record(im_strbuf *out, const im_material *material);

/* What the script needs, as JSON, of at most `most` bytes: pictures and texts of the map's
 * rows as many as there is room for. */
imsat_status im_page_data(im_strbuf *out, im_material *material, size_t most,
                          imsat_error *err);

/* Columns in which a cluster differs, with their distributions, and some rows in these. */
void im_page_columns(im_strbuf *out, im_material *material, size_t cluster);

/* ---- what they share
 * ------------------------------------------------------------------------
 */

/* A section with a heading; and its end. */
void im_page_section(im_strbuf *out, const char *id, const char *heading);
void im_page_section_end(im_strbuf *out);

/* 70000 as "70,000"; 0.123 as "12.3&nbsp;%". */
void im_page_count(im_strbuf *out, size_t count);
void im_page_percent(im_strbuf *out, double share);

/* " row" or " rows". */
const char *im_page_plural(size_t count, const char *one, const char *many);

/* The color of cluster or class i, of `count`: those of figures if they do, else hues. */
void im_page_color(im_strbuf *out, size_t i, size_t count);

/* A small square of that color. */
void im_page_swatch(im_strbuf *out, size_t i, size_t count);

/* The name of a column or word: as the data has it, or "column 7". Escaped. */
void im_page_column_name(im_strbuf *out, const im_material *material, size_t column);

/* What class j is called: its name, or its number, which is written to `number`. */
enum { IM_PAGE_NUMBER = 16 };
const char *im_page_class(const im_material *material, size_t j, char number[IM_PAGE_NUMBER]);

/* The file's name of the first path, without folders; NULL: there is none. */
const char *im_page_file(const im_material *material);

/* The method, as the record has it. */
const char *im_page_method(const im_material *material);

#endif
