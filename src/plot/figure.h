/* SPDX-License-Identifier: MIT
 *
 * A figure as SVG text. It stands in a page as it is: text and lines have the color of the
 * text around it (currentColor), and the colors of classes and series have a luminance from
 * 0.12 to 0.3, which is 3:1 and more against a white and against a black page. One that stands
 * alone brings a background, light or dark as the reader prefers. The same figure has the same
 * bytes on any machine and in any locale.
 *
 * A figure is an image with a name and a description; what a label says is shown, and never
 * read as markup. Panels of a figure are drawn by plot.h.
 */
#ifndef IM_PLOT_FIGURE_H
#define IM_PLOT_FIGURE_H

#include "core/strbuf.h"

/* A rectangle of the figure; y grows downward. */
typedef struct im_box {
    double x, y, width, height;
} im_box;

typedef struct im_figure {
    const char *id;    /* [a-z0-9-], unique in the page: names in it begin so */
    const char *title; /* its name */
    const char *about; /* what is to be seen, in a sentence */
    double width, height;
    bool alone;     /* a file of its own, with a background */
    im_strbuf *out; /* from here on: of im_figure_begin() */
    size_t clips;   /* areas that were clipped to */
} im_figure;

typedef enum im_anchor { IM_ANCHOR_START, IM_ANCHOR_MIDDLE, IM_ANCHOR_END } im_anchor;

enum { IM_FIGURE_COLORS = 12, IM_FIGURE_LETTERS = 12 }; /* height of letters */

/* The color of class or series i, "#rrggbb"; after the last they begin again. */
const char *im_figure_color(size_t i);

/* How line i is dashed, as an attribute with a blank before it, or "". */
const char *im_figure_dash(size_t i);

void im_figure_begin(im_figure *figure, im_strbuf *out);
void im_figure_end(im_figure *figure);

/* Cell i of a grid of rows x columns in the area, row by row. */
im_box im_figure_cell(im_box area, size_t rows, size_t columns, size_t i);

/* Text whose line of writing is at (x, y); `turn` not 0: upward, as beside an axis. Long text
 * is cut to about `room` units, and ends in an ellipsis then; 0: never. */
typedef struct im_lettering {
    double x, y;
    im_anchor anchor;
    double size; /* of letters; 0: IM_FIGURE_LETTERS */
    double room;
    bool bold, turn;
} im_lettering;
void im_figure_text(im_figure *figure, im_lettering how, const char *text);

/* A thin straight line, in the color of text with some opacity. */
void im_figure_rule(im_figure *figure, double x0, double y0, double x1, double y1,
                    double opacity);

/* name="value", with a blank before it; a number with two decimals, as places have. */
void im_figure_number(im_figure *figure, const char *name, double value);
void im_figure_place(im_figure *figure, double value);

/* x, y, width and height as attributes. */
void im_figure_rectangle(im_figure *figure, im_box box);

/* What is drawn until the end of the clip is not seen outside of the box. */
void im_figure_clip(im_figure *figure, im_box box);
void im_figure_clip_end(im_figure *figure);

/* The names of classes or series 0, 1, .. with their colors. */
typedef struct im_legend {
    const char *const *names; /* (count) */
    size_t count;
    bool lines; /* of lines, with their dashes; else of areas and points */
} im_legend;

/* The height that a legend takes in a figure of that width. */
double im_figure_legend_height(im_legend legend, double width);

/* Draw it from the top of a box. */
void im_figure_legend(im_figure *figure, im_box box, im_legend legend);

#endif
