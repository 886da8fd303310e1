/* SPDX-License-Identifier: MIT
 *
 * Panels of a figure: lines, points, bars, tables of counts, decision regions. Each is drawn
 * into a box of a figure (figure.h) that has begun; a figure of one panel gives it all of its
 * area, small multiples a cell each (im_figure_cell()). All text is escaped, and values that
 * are not finite are left out.
 */
#ifndef IM_PLOT_PLOT_H
#define IM_PLOT_PLOT_H

#include "plot/axis.h"
#include "plot/figure.h"

/* What is around a panel. Of the axes, label, log and range are looked at; ranges that are not
 * given are those of the data. */
typedef struct im_plot_axes {
    const char *title; /* NULL: none */
    im_axis x, y;
    bool bare;    /* no ticks and no labels: a picture */
    double names; /* width of the names beside the y axis, of a panel that has some; 0: that of
                     numbers */
} im_plot_axes;

/* A line through points in order, broken where one has no place. */
typedef struct im_plot_series {
    const char *name;
    const double *x; /* (n); NULL: 1, 2, .. n */
    const double *y; /* (n) */
    size_t n;
    bool points; /* mark them */
    bool faint;  /* one of many, of which others matter more */
} im_plot_series;

/* Lines in the colors 0, 1, .. and dashed in turn, so that they differ without color, too,
 * with a legend below if there are several. */
void im_plot_lines(im_figure *figure, im_box box, im_plot_axes axes,
                   const im_plot_series *series, size_t count);

/* Points of classes in [0, classes), with a legend if names (classes) is not NULL; others are
 * left out. */
typedef struct im_plot_points {
    const double *x, *y; /* (n) */
    const int32_t *class_of;
    size_t n;
    size_t classes;
    const char *const *names;
    double size; /* of a point; 0: by how many there are */
} im_plot_points;
void im_plot_scatter(im_figure *figure, im_box box, im_plot_axes axes,
                     const im_plot_points *points);

/* Bars from 0 upward, and a mark across each where it was expected to end. */
typedef struct im_plot_bar {
    const char *name;
    double value;
    double expected; /* NAN: nothing was */
} im_plot_bar;
void im_plot_bars(im_figure *figure, im_box box, im_plot_axes axes, const im_plot_bar *bars,
                  size_t count);

/* A table of counts, the darker the larger a share of its row, with the counts where there is
 * room. Names that are longer than theirs are cut. */
typedef struct im_plot_table {
    const double *count; /* (rows, columns) */
    size_t rows, columns;
    const char *const *row_names, *const *column_names; /* NULL: 0, 1, .. */
} im_plot_table;
void im_plot_heat(im_figure *figure, im_box box, im_plot_axes axes,
                  const im_plot_table *table);

/* Which class each place of a grid belongs to, and points on it. The grid covers the ranges of
 * the axes, which must be given; its first row is at the top. */
typedef struct im_plot_grid {
    const int32_t *class_of; /* (rows, columns); negative: none */
    size_t rows, columns;
} im_plot_grid;
void im_plot_regions(im_figure *figure, im_box box, im_plot_axes axes, im_plot_grid grid,
                     const im_plot_points *points);

/* What the panels share: settle the axes, whose ranges are known, in the box, and draw them
 * and the legend, which may be empty; returns the area within. */
im_box im_plot_frame(im_figure *figure, im_box box, im_plot_axes *axes, im_legend legend);

/* The points on axes that are settled, without a frame. */
void im_plot_dots(im_figure *figure, const im_plot_axes *axes, const im_plot_points *points);

#endif
