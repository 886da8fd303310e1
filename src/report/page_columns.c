/* SPDX-License-Identifier: MIT
 *
 * A cluster of rows that are neither pictures nor texts: the columns in which it differs most
 * from the rest, how these are distributed, and some rows in them.
 */
#include "report/page.h"

#include "core/alloc.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 6, WIDTH = 132, HEIGHT = 30 };

/* A number with some digits that count. */
static void put_value(im_strbuf *out, double value)
{
    const double size = fabs(value);
    double left = value;
    int power = 0;
    if (size > 0 && (size < 1e-4 || size >= 1e9)) {
        for (; fabs(left) >= 10; power++)
            left /= 10;
        for (; fabs(left) < 1; power--)
            left *= 10;
        im_strbuf_fixed(out, left, 2);
        im_strbuf_format(out, "e%d", power);
        return;
    }
    im_strbuf_fixed(out, value, size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4);
}

/* Bins as an area over the bottom of the figure. */
static void put_area(im_figure *figure, const double bins[IM_MARKS_BINS])
{
    const double step = (double)WIDTH / IM_MARKS_BINS;
    im_strbuf_put(figure->out, "<path d=\"M0 ");
    im_figure_place(figure, HEIGHT);
    for (size_t b = 0; b < IM_MARKS_BINS; b++) {
        im_strbuf_put(figure->out, "V");
        im_figure_place(figure, HEIGHT - (HEIGHT - 2) * bins[b]);
        im_strbuf_put(figure->out, "H");
        im_figure_place(figure, (double)(b + 1) * step);
    }
    im_strbuf_put(figure->out, "V");
    im_figure_place(figure, HEIGHT);
    im_strbuf_put(figure->out, "Z\"");
}

/* The distribution in the cluster, in front of that in the rest. */
static void put_spread(im_strbuf *out, const im_material *m, size_t column, size_t cluster)
{
    double inside[IM_MARKS_BINS], outside[IM_MARKS_BINS];
    char id[64];
    im_marks_spread(inside, outside, &m->columns, column, (int32_t)cluster);
    snprintf(id, sizeof id, "spread-%zu-%zu", cluster, column);
    im_figure figure = {.id = id,
                        .title = "Distribution",
                        .about = "How often values occur in the cluster, in color, and in the "
                                 "rest, in gray, from the least to the largest.",
                        .width = WIDTH,
                        .height = HEIGHT};
    im_figure_begin(&figure, out);
    put_area(&figure, outside);
    im_strbuf_put(out, " fill-opacity=\"0.22\"/>\n");
    put_area(&figure, inside);
    im_strbuf_put(out, " fill-opacity=\"0.7\" fill=\"");
    im_page_color(out, cluster, m->found.outputs);
    im_strbuf_put(out, "\"/>\n");
    im_figure_rule(&figure, 0, HEIGHT, WIDTH, HEIGHT, 0.5);
    im_figure_end(&figure);
}

static void put_marks(im_strbuf *out, const im_material *m, const im_mark *marks, size_t count,
                      size_t cluster)
{
    im_strbuf_format(out,
                     "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Columns "
                     "of cluster %zu\"><table>\n<thead><tr><th scope=\"col\">Column</th><th "
                     "scope=\"col\">here</th><th scope=\"col\">rest</th><th scope=\"col\">"
                     "difference</th><th scope=\"col\">distribution</th></tr></thead>\n"
                     "<tbody>\n",
                     cluster);
    for (size_t i = 0; i < count; i++) {
        im_strbuf_put(out, "<tr><th scope=\"row\">");
        im_page_column_name(out, m, marks[i].column);
        im_strbuf_put(out, "</th><td>");
        put_value(out, marks[i].inside);
        im_strbuf_put(out, "</td><td>");
        put_value(out, marks[i].outside);
        im_strbuf_put(out, marks[i].effect < 0 ? "</td><td>\xe2\x88\x92" : "</td><td>+");
        im_strbuf_fixed(out, fabs(marks[i].effect), 1);
        im_strbuf_put(out, " sd</td><td>");
        put_spread(out, m, marks[i].column, cluster);
        im_strbuf_put(out, "</td></tr>\n");
    }
    im_strbuf_put(out, "</tbody></table></div>\n");
}

/* ---- rows
 * -----------------------------------------------------------------------------------
 */

static void put_row(im_strbuf *out, const im_material *m, const im_gather_row *row,
                    const char *kind, const im_mark *marks, size_t count)
{
    im_strbuf_format(out, "<tr><th scope=\"row\">%s, row %zu</th>", kind, row->row);
    for (size_t i = 0; i < count; i++) {
        im_strbuf_put(out, "<td>");
        put_value(out, im_data_value(m->data, row->row, marks[i].column));
        im_strbuf_put(out, "</td>");
    }
    im_strbuf_put(out, "<td>");
    im_strbuf_padded(out, (double)row->confidence, 2);
    im_strbuf_put(out, "</td></tr>\n");
}

static void put_rows(im_strbuf *out, const im_material *m, const im_mark *marks, size_t count,
                     size_t cluster)
{
    static const char *const kinds[] = {"typical", "borderline", "strange"};
    im_strbuf_format(out,
                     "<details><summary>Rows of cluster %zu</summary>\n<div class=\"wide\" "
                     "tabindex=\"0\" role=\"region\" aria-label=\"Rows of cluster %zu\">"
                     "<table>\n<thead><tr><th scope=\"col\">Row</th>",
                     cluster, cluster);
    for (size_t i = 0; i < count; i++) {
        im_strbuf_put(out, "<th scope=\"col\">");
        im_page_column_name(out, m, marks[i].column);
        im_strbuf_put(out, "</th>");
    }
    im_strbuf_put(out, "<th scope=\"col\">confidence</th></tr></thead>\n<tbody>\n");
    for (size_t kind = 0; kind < IM_GATHER_KINDS; kind++) {
        const im_gather_list *list = &m->found.lists[cluster][kind];
        for (size_t i = 0; i < im_size_min(list->count, m->each); i++)
            put_row(out, m, &list->row[i], kinds[kind], marks, count);
    }
    im_strbuf_put(out, "</tbody></table></div></details>\n");
}

void im_page_columns(im_strbuf *out, im_material *m, size_t cluster)
{
    im_mark marks[COLUMNS];
    const size_t count = im_marks_mark(marks, COLUMNS, &m->columns, (int32_t)cluster);
    if (count == 0)
        return;
    put_marks(out, m, marks, count, cluster);
    put_rows(out, m, marks, count, cluster);
}
