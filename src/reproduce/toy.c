/* SPDX-License-Identifier: MIT
 * See toy.h. */
#include "reproduce/toy.h"

#include "core/alloc.h"
#include "core/status.h"
#include "plot/plot.h"
#include "reproduce/attempt.h"
#include "reproduce/source.h"

#include <stdio.h>
#include <string.h>

enum {
    POINTS = 2 * IM_SOURCE_ARC,
    PLACES = IM_ATTEMPT_GRID * IM_ATTEMPT_GRID,
    SIZES = 3,   /* of networks, a column each */
    METHODS = 2, /* a row each */
    SIDE = 260
};

/* What a panel is made of. */
typedef struct panel {
    double x[POINTS], y[POINTS];
    int32_t arcs[POINTS], grid[PLACES];
} panel;

static void place_points(panel *p)
{
    float points[2 * POINTS];
    im_source_spirals(points, p->arcs);
    for (size_t i = 0; i < POINTS; i++) {
        p->x[i] = (double)points[2 * i];
        p->y[i] = (double)points[2 * i + 1];
    }
}

static void draw_panel(im_figure *figure, im_box box, const im_entry *cell, panel *p)
{
    char title[64];
    const bool known = cell->done && cell->grid && strlen(cell->grid) == PLACES;
    for (size_t i = 0; i < PLACES; i++)
        p->grid[i] = known ? cell->grid[i] - '0' : -1;
    snprintf(title, sizeof title, "%s (%s)", cell->row->method, cell->row->hidden);
    const im_plot_axes axes = {.title = title,
                               .x = {.low = -IM_ATTEMPT_REACH, .high = IM_ATTEMPT_REACH},
                               .y = {.low = -IM_ATTEMPT_REACH, .high = IM_ATTEMPT_REACH},
                               .bare = true};
    const im_plot_points points = {p->x, p->y, p->arcs, POINTS, 2, NULL, 3};
    im_plot_regions(figure, box, axes,
                    (im_plot_grid){p->grid, IM_ATTEMPT_GRID, IM_ATTEMPT_GRID}, &points);
}

imsat_status im_toy_figure(im_strbuf *out, const im_plan *plan, imsat_error *err)
{
    im_figure figure = {.id = "toy",
                        .title = "Two spirals, divided in two without labels",
                        .about = "Areas are the two clusters, points the two arcs. Networks "
                                 "grow from left to right; imsat-vat above, deep-rim below.",
                        .width = SIZES * SIDE,
                        .height = METHODS * (SIDE + 20),
                        .alone = true};
    panel *p = im_alloc(1, sizeof *p);
    size_t at = 0;
    if (!p)
        return im_fail_memory(err, "the figure");
    place_points(p);
    im_figure_begin(&figure, out);
    for (size_t i = 0; i < plan->count; i = im_plan_group(plan, i))
        draw_panel(
            &figure,
            im_figure_cell((im_box){0, 0, figure.width, figure.height}, METHODS, SIZES, at++),
            &plan->cell[i], p);
    im_figure_end(&figure);
    im_free(p);
    return IMSAT_OK;
}
