/* SPDX-License-Identifier: MIT
 *
 * A table of counts as colored cells. The color has a middle luminance, so that the numbers,
 * in the color of text, can be read on the fullest cell as on the empty one. */
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>

enum { NAMES = 11, LEAST_WIDTH = 26, LEAST_HEIGHT = 13, ROOM = 42, MARGIN = 22 };

static double row_sum(const im_plot_table *table, size_t row)
{
    double sum = 0;
    for (size_t j = 0; j < table->columns; j++)
        sum += fmax(0, table->count[row * table->columns + j]);
    return sum;
}

/* The name of a row or a column: given, or its number. */
static const char *name_of(const char *const *names, size_t i, char number[24])
{
    if (names)
        return names[i];
    snprintf(number, 24, "%zu", i);
    return number;
}

static void draw_tip(im_figure *figure, const im_plot_table *table, size_t row, size_t column)
{
    char a[24], b[24];
    im_strbuf_put(figure->out, "<title>");
    im_strbuf_escape(figure->out, name_of(table->row_names, row, a));
    im_strbuf_put(figure->out, ", ");
    im_strbuf_escape(figure->out, name_of(table->column_names, column, b));
    im_strbuf_put(figure->out, ": ");
    im_axis_text(figure->out, table->count[row * table->columns + column]);
    im_strbuf_put(figure->out, "</title>");
}

static void draw_count(im_figure *figure, im_box cell, double count)
{
    if (cell.width < LEAST_WIDTH || cell.height < LEAST_HEIGHT)
        return;
    im_strbuf_put(figure->out, "<text");
    im_figure_number(figure, "x", cell.x + cell.width / 2);
    im_figure_number(figure, "y", cell.y + cell.height / 2 + 4);
    im_strbuf_put(figure->out, " font-size=\"11\" text-anchor=\"middle\">");
    im_axis_text(figure->out, count);
    im_strbuf_put(figure->out, "</text>\n");
}

static void draw_row(im_figure *figure, im_box area, const im_plot_table *table, size_t row)
{
    const double sum = row_sum(table, row);
    for (size_t j = 0; j < table->columns; j++) {
        const size_t i = row * table->columns + j;
        const double count = table->count[i];
        if (!(count > 0) || !isfinite(count))
            continue;
        const im_box cell = im_figure_cell(area, table->rows, table->columns, i);
        im_strbuf_format(figure->out, "<rect fill=\"%s\"", im_figure_color(0));
        im_figure_rectangle(figure, cell);
        im_figure_number(figure, "fill-opacity", 0.08 + 0.92 * count / sum);
        im_strbuf_put(figure->out, ">");
        draw_tip(figure, table, row, j);
        im_strbuf_put(figure->out, "</rect>\n");
        draw_count(figure, cell, count);
    }
}

static void draw_names(im_figure *figure, im_box area, const im_plot_table *table, double left)
{
    char number[24];
    const double high = area.height / (double)table->rows;
    const double wide = area.width / (double)table->columns;
    for (size_t i = 0; i < table->rows; i += (size_t)ceil(LEAST_HEIGHT / high))
        im_figure_text(figure,
                       (im_lettering){.x = area.x - 6,
                                      .y = area.y + ((double)i + 0.5) * high + 4,
                                      .anchor = IM_ANCHOR_END,
                                      .size = NAMES,
                                      .room = fmax(left - MARGIN, ROOM)},
                       name_of(table->row_names, i, number));
    for (size_t j = 0; j < table->columns; j += (size_t)ceil(LEAST_WIDTH / wide))
        im_figure_text(figure,
                       (im_lettering){.x = area.x + ((double)j + 0.5) * wide,
                                      .y = area.y + area.height + 15,
                                      .anchor = IM_ANCHOR_MIDDLE,
                                      .size = NAMES,
                                      .room = fmax(wide, LEAST_WIDTH)},
                       name_of(table->column_names, j, number));
}

void im_plot_heat(im_figure *figure, im_box box, im_plot_axes axes, const im_plot_table *table)
{
    axes.x.low = axes.x.high = axes.y.low = axes.y.high = 0; /* names, not numbers */
    const im_box area = im_plot_frame(figure, box, &axes, (im_legend){0});
    for (size_t i = 0; i < table->rows; i++)
        draw_row(figure, area, table, i);
    if (!axes.bare && table->rows > 0 && table->columns > 0)
        draw_names(figure, area, table, axes.names);
    im_strbuf_put(figure->out, "<rect fill=\"none\" stroke=\"currentColor\"");
    im_figure_number(figure, "stroke-opacity", 0.4);
    im_figure_rectangle(figure, area);
    im_strbuf_put(figure->out, "/>\n");
}
