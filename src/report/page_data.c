/* SPDX-License-Identifier: MIT
 *
 * What the script needs, as one JSON object: columns of numbers are little-endian arrays in
 * base64. Pictures and texts come last, and are of as many rows as there is room for: every
 * first, second, third, .. of the map's.
 */
#include "report/page.h"

#include "core/alloc.h"
#include "report/script.h"

#include <math.h>
#include <stdio.h>

enum { SHEET = 2000000, TEXTS = 1500000 }; /* bytes of pictures and texts, at most */

/* ---- columns
 * --------------------------------------------------------------------------------
 */

/* The number that row i of the map has in a column. */
typedef uint32_t column_fn(const im_material *m, size_t i);

static void put_column(im_strbuf *out, const im_material *m, const char *name, size_t width,
                       column_fn *value)
{
    unsigned char *bytes = im_alloc(m->sample.count, width);
    if (!bytes) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < m->sample.count; i++)
        for (size_t b = 0; b < width; b++)
            bytes[i * width + b] = (unsigned char)(value(m, i) >> (8 * b));
    im_strbuf_format(out, ",\n\"%s\":\"", name);
    im_strbuf_base64(out, bytes, m->sample.count * width);
    im_strbuf_put(out, "\"");
    im_free(bytes);
}

static uint32_t row_of(const im_material *m, size_t i)
{
    return (uint32_t)m->sample.rows[i];
}

static uint32_t level(double share)
{
    return (uint32_t)(fmin(fmax(share, 0), 1) * 65535 + 0.5);
}

static uint32_t x_of(const im_material *m, size_t i)
{
    return level(m->place[2 * i]);
}

/* Downward, as canvases have it. */
static uint32_t y_of(const im_material *m, size_t i)
{
    return level(1 - m->place[2 * i + 1]);
}

static uint32_t cluster_of(const im_material *m, size_t i)
{
    return (uint32_t)m->sample_labels[i];
}

static uint32_t class_of(const im_material *m, size_t i)
{
    const int32_t label = m->options.truth[m->sample.rows[i]];
    return (uint32_t)im_size_min(im_classes_of(&m->classes, label), UINT16_MAX);
}

static uint32_t confidence_of(const im_material *m, size_t i)
{
    return (uint32_t)(m->found.confidence[m->sample.rows[i]] * 255 + 0.5F);
}

/* ---- groups
 * ---------------------------------------------------------------------------------
 */

static void put_colors(im_strbuf *out, const char *name, size_t count)
{
    enum { COLORS = 360 }; /* there are no more */
    im_strbuf_format(out, ",\n\"%s\":[", name);
    for (size_t i = 0; i < im_size_min(count, COLORS); i++) {
        im_strbuf_put(out, i > 0 ? ",\"" : "\"");
        im_page_color(out, i, count);
        im_strbuf_put(out, "\"");
    }
    im_strbuf_put(out, "]");
}

static void put_groups(im_strbuf *out, const im_material *m)
{
    const im_classes *c = &m->classes;
    if (!m->found.hash) {
        put_column(out, m, "cluster", 4, cluster_of);
        put_colors(out, "clusterColors", m->found.outputs);
        im_strbuf_format(out, ",\n\"clusters\":%zu", m->found.outputs);
    }
    if (c->count == 0)
        return;
    put_column(out, m, "class", 2, class_of);
    put_colors(out, "classColors", c->count);
    im_strbuf_put(out, ",\n\"classes\":[");
    for (size_t j = 0; j < im_size_min(c->count, UINT16_MAX); j++) {
        char number[IM_PAGE_NUMBER];
        im_strbuf_put(out, j > 0 ? "," : "");
        im_script_text(out, im_page_class(m, j, number));
    }
    im_strbuf_put(out, "]");
}

/* Codes of as many rows as `most` bytes hold. */
static void put_codes(im_strbuf *out, const im_material *m, size_t most)
{
    const size_t bytes = imsat_code_bytes(m->found.outputs);
    const size_t rows = im_size_min(m->sample.count, most * 3 / 4 / bytes);
    im_strbuf_format(out, ",\n\"bits\":%zu,\"bytes\":%zu,\"coded\":%zu,\"codes\":\"",
                     m->found.outputs, bytes, rows);
    im_strbuf_base64(out, m->sample_codes, rows * bytes);
    im_strbuf_put(out, "\"");
}

/* ---- pictures and texts
 * ---------------------------------------------------------------------
 */

/* A sheet of `count` pictures, each of `every`-th rows. */
static imsat_status put_sheet(im_strbuf *out, im_material *m, size_t every, size_t count,
                              imsat_error *err)
{
    enum { ACROSS = 100 };
    im_strbuf_format(out,
                     ",\n\"sheet\":{\"every\":%zu,\"count\":%zu,\"across\":%d,\"width\":%zu,"
                     "\"height\":%zu,\"url\":\"",
                     every, count, ACROSS, m->pictures.width, m->pictures.height);
    const imsat_status st =
        im_thumbs_sheet(out, &m->pictures, m->sample.data, every, count, ACROSS, err);
    im_strbuf_put(out, "\"}");
    return st;
}

/* How well they compress is known when it is done: half as many until they fit. */
static imsat_status put_pictures(im_strbuf *out, im_material *m, size_t most, imsat_error *err)
{
    const size_t n = m->sample.count;
    for (size_t every = 1; every <= n; every *= 2) {
        im_strbuf sheet = {0};
        const size_t count = (n + every - 1) / every;
        if (count * im_thumbs_bytes(&m->pictures) > 32 * most)
            continue; /* not even nothing but one color would do */
        const imsat_status st = put_sheet(&sheet, m, every, count, err);
        const bool fits = sheet.used <= most;
        if (st == IMSAT_OK && fits)
            im_strbuf_bytes(out, sheet.text, sheet.used);
        out->failed = out->failed || sheet.failed;
        im_strbuf_clear(&sheet);
        if (st != IMSAT_OK || fits)
            return st;
    }
    return IMSAT_OK;
}

static void put_texts(im_strbuf *out, const im_material *m, size_t most)
{
    enum { LONGEST = 120, QUOTED = LONGEST + 16 };
    const size_t n = m->sample.count;
    const size_t fit = most / QUOTED, every = fit ? (n + fit - 1) / fit : n + 1;
    const size_t end = out->used + most;
    if (every > n)
        return;
    im_strbuf_format(out, ",\n\"texts\":{\"every\":%zu,\"list\":[", every);
    for (size_t i = 0; i < n && out->used + (size_t)6 * LONGEST < end; i += every) {
        const char *text = im_excerpts_of(&m->excerpts, m->sample.rows[i]);
        im_strbuf cut = {0};
        im_excerpts_cut(&cut, text ? text : "", text ? strlen(text) : 0, LONGEST);
        im_strbuf_put(out, i > 0 ? ",\n" : "");
        im_script_text_bytes(out, cut.text ? cut.text : "", cut.used);
        out->failed = out->failed || cut.failed;
        im_strbuf_clear(&cut);
    }
    im_strbuf_put(out, "]}");
}

imsat_status im_page_data(im_strbuf *out, im_material *m, size_t most, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t end = out->used + most;
    im_strbuf_format(out, "{\"task\":\"%s\",\"count\":%zu", m->found.hash ? "hash" : "cluster",
                     m->sample.count);
    put_column(out, m, "row", 4, row_of);
    put_column(out, m, "x", 2, x_of);
    put_column(out, m, "y", 2, y_of);
    put_column(out, m, "confidence", 1, confidence_of);
    put_groups(out, m);
    if (m->sample_codes)
        put_codes(out, m, out->used < end ? (end - out->used) / 2 : 0);
    const size_t left = out->used < end ? end - out->used : 0;
    if (m->pictures.row)
        IM_TRY(put_pictures(out, m, im_size_min(left, SHEET), err));
    else if (m->excerpts.count > 0)
        put_texts(out, m, im_size_min(left / 2, TEXTS));
    im_strbuf_put(out, "}");

cleanup:
    return st;
}
