/* SPDX-License-Identifier: MIT
 *
 * Title, axes, grid lines and numbers of a panel. */
#include "plot/plot.h"

enum {
    TITLE = 22,  /* height of a title */
    LEFT = 48,   /* width of the numbers beside the y axis */
    BOTTOM = 20, /* height of the numbers below the x axis */
    LABEL = 18,  /* what the name of an axis takes more */
    EDGE = 12,   /* to the right, and above */
    SMALL = 11   /* letters of numbers */
};

/* What stands between the y axis and its label. */
static double beside(const im_plot_axes *axes)
{
    return axes->names > LEFT ? axes->names : LEFT;
}

static im_box inside(im_box box, const im_plot_axes *axes, double legend)
{
    const double left = axes->bare ? EDGE / 2.0 : beside(axes) + (axes->y.label ? LABEL : 0);
    const double bottom = axes->bare ? EDGE / 2.0 : BOTTOM + (axes->x.label ? LABEL : 0);
    const double right = axes->bare ? EDGE / 2.0 : EDGE;
    const double top = axes->title ? TITLE : right;
    return (im_box){box.x + left, box.y + top, box.width - left - right,
                    box.height - top - bottom - legend};
}

static void draw_number(im_figure *figure, im_lettering how, double tick)
{
    im_strbuf text = {0};
    im_axis_text(&text, tick);
    if (text.failed)
        figure->out->failed = true;
    else
        im_figure_text(figure, how, text.text);
    im_strbuf_clear(&text);
}

/* An axis without a range has names in place of numbers, which the panel draws. */
static size_t ticks_of(const im_axis *axis, double ticks[IM_AXIS_TICKS], double wanted)
{
    return axis->low < axis->high ? im_axis_ticks(axis, ticks, (size_t)wanted + 1) : 0;
}

static void draw_x(im_figure *figure, im_box area, const im_axis *axis)
{
    double ticks[IM_AXIS_TICKS];
    const double bottom = area.y + area.height;
    const size_t count = ticks_of(axis, ticks, area.width / 70);
    for (size_t i = 0; i < count; i++) {
        const double x = im_axis_place(axis, ticks[i]);
        im_figure_rule(figure, x, area.y, x, bottom, 0.12);
        draw_number(figure,
                    (im_lettering){
                        .x = x, .y = bottom + 15, .anchor = IM_ANCHOR_MIDDLE, .size = SMALL},
                    ticks[i]);
    }
    if (axis->label)
        im_figure_text(figure,
                       (im_lettering){.x = area.x + area.width / 2,
                                      .y = bottom + BOTTOM + 12,
                                      .anchor = IM_ANCHOR_MIDDLE,
                                      .room = area.width},
                       axis->label);
}

static void draw_y(im_figure *figure, im_box area, const im_axis *axis, double left)
{
    double ticks[IM_AXIS_TICKS];
    const double right = area.x + area.width;
    const size_t count = ticks_of(axis, ticks, area.height / 45);
    for (size_t i = 0; i < count; i++) {
        const double y = im_axis_place(axis, ticks[i]);
        im_figure_rule(figure, area.x, y, right, y, 0.12);
        draw_number(figure,
                    (im_lettering){
                        .x = area.x - 6, .y = y + 4, .anchor = IM_ANCHOR_END, .size = SMALL},
                    ticks[i]);
    }
    if (axis->label)
        im_figure_text(figure,
                       (im_lettering){.x = area.x - left - 4,
                                      .y = area.y + area.height / 2,
                                      .anchor = IM_ANCHOR_MIDDLE,
                                      .room = area.height,
                                      .turn = true},
                       axis->label);
}

im_box im_plot_frame(im_figure *figure, im_box box, im_plot_axes *axes, im_legend legend)
{
    const double wide = box.width - 2 * EDGE, high = im_figure_legend_height(legend, wide);
    const im_box area = inside(box, axes, high);
    axes->x.at = area.x;
    axes->x.length = area.width;
    axes->y.at = area.y + area.height;
    axes->y.length = -area.height;
    if (axes->title)
        im_figure_text(figure,
                       (im_lettering){.x = area.x + area.width / 2,
                                      .y = box.y + 15,
                                      .anchor = IM_ANCHOR_MIDDLE,
                                      .room = box.width,
                                      .bold = true},
                       axes->title);
    if (!axes->bare) {
        draw_x(figure, area, &axes->x);
        draw_y(figure, area, &axes->y, beside(axes));
    }
    im_figure_legend(figure, (im_box){box.x + EDGE, box.y + box.height - high, wide, high},
                     legend);
    return area;
}
