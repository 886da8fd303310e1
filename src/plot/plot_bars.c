/* SPDX-License-Identifier: MIT
 *
 * Bars, each with a mark where it was expected to end. */
#include "plot/plot.h"

#include <math.h>

static double height_of(const im_axis *y, double value)
{
    return im_axis_holds(y, value) && value > 0 ? y->at - im_axis_place(y, value) : 0;
}

static void draw_tip(im_figure *figure, const im_plot_bar *bar)
{
    im_strbuf_put(figure->out, "<title>");
    im_strbuf_escape(figure->out, bar->name);
    im_strbuf_put(figure->out, ": ");
    im_axis_text(figure->out, bar->value);
    if (isfinite(bar->expected)) {
        im_strbuf_put(figure->out, " (expected ");
        im_axis_text(figure->out, bar->expected);
        im_strbuf_put(figure->out, ")");
    }
    im_strbuf_put(figure->out, "</title>");
}

static void draw_bar(im_figure *figure, const im_axis *y, const im_plot_bar *bar,
                     im_box column)
{
    const double high = height_of(y, bar->value), gap = column.width * 0.15;
    im_strbuf_format(figure->out, "<rect fill=\"%s\"", im_figure_color(0));
    im_figure_rectangle(figure,
                        (im_box){column.x + gap, y->at - high, column.width - 2 * gap, high});
    im_strbuf_put(figure->out, ">");
    draw_tip(figure, bar);
    im_strbuf_put(figure->out, "</rect>\n");
    if (im_axis_holds(y, bar->expected)) {
        const double at = y->at - height_of(y, bar->expected);
        im_figure_rule(figure, column.x + gap / 2, at, column.x + column.width - gap / 2, at,
                       0.9);
    }
}

/* The name of every bar, or of every second, fifth, .. so that they do not touch. */
static void draw_names(im_figure *figure, im_box area, const im_plot_bar *bars, size_t count)
{
    const double width = area.width / (double)count;
    const size_t every = (size_t)ceil(24 / width);
    for (size_t i = 0; i < count; i += every)
        im_figure_text(figure,
                       (im_lettering){.x = area.x + ((double)i + 0.5) * width,
                                      .y = area.y + area.height + 15,
                                      .anchor = IM_ANCHOR_MIDDLE,
                                      .size = 11,
                                      .room = width * (double)every},
                       bars[i].name);
}

void im_plot_bars(im_figure *figure, im_box box, im_plot_axes axes, const im_plot_bar *bars,
                  size_t count)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        im_axis_cover(&axes.y, &low, &high, &bars[i].value, 1);
        im_axis_cover(&axes.y, &low, &high, &bars[i].expected, 1);
    }
    im_axis_settle(&axes.y, 0, high > 0 ? high : 1);
    axes.x.low = axes.x.high = 0; /* it has names, not numbers */
    const im_box area = im_plot_frame(figure, box, &axes, (im_legend){0});
    for (size_t i = 0; i < count; i++)
        draw_bar(figure, &axes.y, &bars[i], im_figure_cell(area, 1, count, i));
    if (count > 0 && !axes.bare)
        draw_names(figure, area, bars, count);
    im_figure_rule(figure, area.x, axes.y.at, area.x + area.width, axes.y.at, 0.6);
}
