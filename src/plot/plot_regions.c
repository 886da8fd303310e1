/* SPDX-License-Identifier: MIT
 *
 * Decision regions: a grid of classes, and the points that were divided. Each class is one
 * path of rectangles, one for each run of cells that follow each other in a row. */
#include "plot/plot.h"

#include <assert.h>

static int32_t largest(im_plot_grid grid)
{
    int32_t most = -1;
    for (size_t i = 0; i < grid.rows * grid.columns; i++)
        most = grid.class_of[i] > most ? grid.class_of[i] : most;
    return most;
}

static void put_run(im_figure *figure, im_box area, im_plot_grid grid, size_t row,
                    size_t first, size_t count)
{
    const im_box cell =
        im_figure_cell(area, grid.rows, grid.columns, row * grid.columns + first);
    im_strbuf_put(figure->out, "M");
    im_figure_place(figure, cell.x);
    im_strbuf_put(figure->out, " ");
    im_figure_place(figure, cell.y);
    im_strbuf_put(figure->out, "h");
    im_figure_place(figure, cell.width * (double)count);
    im_strbuf_put(figure->out, "v");
    im_figure_place(figure, cell.height);
    im_strbuf_put(figure->out, "h");
    im_figure_place(figure, -cell.width * (double)count);
    im_strbuf_put(figure->out, "z");
}

static void draw_class(im_figure *figure, im_box area, im_plot_grid grid, int32_t c)
{
    im_strbuf_put(figure->out, "<path d=\"");
    for (size_t row = 0; row < grid.rows; row++)
        for (size_t j = 0, run = 0; j < grid.columns; j += run ? run : 1) {
            const int32_t *cells = grid.class_of + row * grid.columns;
            for (run = 0; j + run < grid.columns && cells[j + run] == c;)
                run++;
            if (run > 0)
                put_run(figure, area, grid, row, j, run);
        }
    im_strbuf_format(figure->out,
                     "\" fill=\"%s\" fill-opacity=\"0.3\" shape-rendering=\"crispEdges\"/>\n",
                     im_figure_color((size_t)c));
}

void im_plot_regions(im_figure *figure, im_box box, im_plot_axes axes, im_plot_grid grid,
                     const im_plot_points *points)
{
    assert(axes.x.low < axes.x.high && axes.y.low < axes.y.high);
    const im_box area = im_plot_frame(figure, box, &axes, (im_legend){0});
    const int32_t most = largest(grid);
    im_figure_clip(figure, area);
    for (int32_t c = 0; c <= most; c++)
        draw_class(figure, area, grid, c);
    if (points)
        im_plot_dots(figure, &axes, points);
    im_figure_clip_end(figure);
}
