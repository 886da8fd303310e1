/* SPDX-License-Identifier: MIT
 *
 * Lines of several series. */
#include "plot/plot.h"

#include "core/alloc.h"

#include <math.h>

static double x_of(const im_plot_series *s, size_t i)
{
    return s->x ? s->x[i] : (double)(i + 1);
}

/* The ranges of all series, of the points that both axes have a place for. */
static void settle(im_plot_axes *axes, const im_plot_series *series, size_t count)
{
    double xlow = INFINITY, xhigh = -INFINITY, ylow = INFINITY, yhigh = -INFINITY;
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < series[s].n; i++) {
            const double x = x_of(&series[s], i), y = series[s].y[i];
            if (!im_axis_holds(&axes->x, x) || !im_axis_holds(&axes->y, y))
                continue;
            im_axis_cover(&axes->x, &xlow, &xhigh, &x, 1);
            im_axis_cover(&axes->y, &ylow, &yhigh, &y, 1);
        }
    if (xlow < xhigh && !(axes->x.low < axes->x.high)) { /* from the first to the last */
        axes->x.low = xlow;
        axes->x.high = xhigh;
    }
    im_axis_settle(&axes->x, xlow, xhigh);
    im_axis_settle(&axes->y, ylow, yhigh);
}

/* "Mx yLx y.." of the points that have a place; a line that was broken begins anew. */
static void put_path(im_figure *figure, const im_plot_axes *axes, const im_plot_series *s)
{
    bool on = false;
    for (size_t i = 0; i < s->n; i++) {
        const double x = x_of(s, i), y = s->y[i];
        if (!im_axis_holds(&axes->x, x) || !im_axis_holds(&axes->y, y)) {
            on = false;
            continue;
        }
        im_strbuf_put(figure->out, on ? "L" : "M");
        im_figure_place(figure, im_axis_place(&axes->x, x));
        im_strbuf_put(figure->out, " ");
        im_figure_place(figure, im_axis_place(&axes->y, y));
        on = true;
    }
}

static void draw_series(im_figure *figure, const im_plot_axes *axes, const im_plot_series *s,
                        size_t number)
{
    const char *color = im_figure_color(number);
    im_strbuf_put(figure->out, "<path d=\"");
    put_path(figure, axes, s);
    im_strbuf_format(figure->out,
                     "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" "
                     "stroke-linejoin=\"round\"%s%s/>\n",
                     color, s->faint ? "1.25" : "2", im_figure_dash(number),
                     s->faint ? " stroke-opacity=\"0.75\"" : "");
    for (size_t i = 0; s->points && i < s->n; i++) {
        if (!im_axis_holds(&axes->x, x_of(s, i)) || !im_axis_holds(&axes->y, s->y[i]))
            continue;
        im_strbuf_put(figure->out, "<circle");
        im_figure_number(figure, "cx", im_axis_place(&axes->x, x_of(s, i)));
        im_figure_number(figure, "cy", im_axis_place(&axes->y, s->y[i]));
        im_strbuf_format(figure->out, " r=\"3\" fill=\"%s\"/>\n", color);
    }
}

void im_plot_lines(im_figure *figure, im_box box, im_plot_axes axes,
                   const im_plot_series *series, size_t count)
{
    const char **names = im_alloc(count, sizeof *names);
    if (!names) {
        figure->out->failed = true;
        return;
    }
    for (size_t s = 0; s < count; s++)
        names[s] = series[s].name;
    settle(&axes, series, count);
    const im_box area =
        im_plot_frame(figure, box, &axes, (im_legend){names, count > 1 ? count : 0, true});
    im_figure_clip(figure, (im_box){area.x - 3, area.y - 3, area.width + 6, area.height + 6});
    for (size_t s = 0; s < count; s++)
        draw_series(figure, &axes, &series[s], s);
    im_figure_clip_end(figure);
    im_free(names);
}
