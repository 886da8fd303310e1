/* SPDX-License-Identifier: MIT
 *
 * Points of classes. All points of a class are one path of lines without length, whose round
 * ends are the points: twenty thousand are some 300 kB. */
#include "plot/plot.h"

#include <math.h>

/* Many points are small. */
static double size_of(const im_plot_points *points)
{
    return points->size > 0 ? points->size : points->n > 5000 ? 2 : points->n > 500 ? 3 : 5;
}

void im_plot_dots(im_figure *figure, const im_plot_axes *axes, const im_plot_points *points)
{
    for (size_t c = 0; c < points->classes; c++) {
        im_strbuf_format(figure->out, "<path class=\"c%zu\" d=\"", c);
        for (size_t i = 0; i < points->n; i++) {
            if (points->class_of[i] != (int32_t)c || !im_axis_holds(&axes->x, points->x[i]) ||
                !im_axis_holds(&axes->y, points->y[i]))
                continue;
            im_strbuf_put(figure->out, "M");
            im_figure_place(figure, im_axis_place(&axes->x, points->x[i]));
            im_strbuf_put(figure->out, " ");
            im_figure_place(figure, im_axis_place(&axes->y, points->y[i]));
            im_strbuf_put(figure->out, "h0");
        }
        im_strbuf_format(figure->out, "\" stroke=\"%s\" stroke-linecap=\"round\"",
                         im_figure_color(c));
        im_figure_number(figure, "stroke-width", size_of(points));
        im_strbuf_put(figure->out, "/>\n");
    }
}

static void settle(im_plot_axes *axes, const im_plot_points *points)
{
    double low = INFINITY, high = -INFINITY;
    im_axis_cover(&axes->x, &low, &high, points->x, points->n);
    im_axis_settle(&axes->x, low, high);
    low = INFINITY;
    high = -INFINITY;
    im_axis_cover(&axes->y, &low, &high, points->y, points->n);
    im_axis_settle(&axes->y, low, high);
}

void im_plot_scatter(im_figure *figure, im_box box, im_plot_axes axes,
                     const im_plot_points *points)
{
    settle(&axes, points);
    const im_box area =
        im_plot_frame(figure, box, &axes,
                      (im_legend){points->names, points->names ? points->classes : 0, false});
    im_figure_clip(figure, (im_box){area.x - 4, area.y - 4, area.width + 8, area.height + 8});
    im_plot_dots(figure, &axes, points);
    im_figure_clip_end(figure);
}
