/* SPDX-License-Identifier: MIT
 * See figure.h. */
#include "plot/figure.h"

#include "core/utf8.h"

#include <math.h>
#include <string.h>

/* Hues as far apart as twelve can be when none may be light or dark; tests/unit/test_figure.c
 * measures the contrast of each. */
static const char *const colors[IM_FIGURE_COLORS] = {
    "#3572b0", "#c8501e", "#2e8540", "#b03a7a", "#7a6ad0", "#8a7400",
    "#128a8a", "#d03c4b", "#6b7f2a", "#9a5b2f", "#5f7488", "#a04fc0"};

const char *im_figure_color(size_t i)
{
    return colors[i % IM_FIGURE_COLORS];
}

const char *im_figure_dash(size_t i)
{
    static const char *const dashes[] = {"", " stroke-dasharray=\"7 3\"",
                                         " stroke-dasharray=\"2 3\"",
                                         " stroke-dasharray=\"8 3 2 3\""};
    return dashes[i % 4];
}

void im_figure_place(im_figure *figure, double value)
{
    im_strbuf_fixed(figure->out, value, 2);
}

void im_figure_number(im_figure *figure, const char *name, double value)
{
    im_strbuf_format(figure->out, " %s=\"", name);
    im_figure_place(figure, value);
    im_strbuf_put(figure->out, "\"");
}

void im_figure_rectangle(im_figure *figure, im_box box)
{
    im_figure_number(figure, "x", box.x);
    im_figure_number(figure, "y", box.y);
    im_figure_number(figure, "width", box.width);
    im_figure_number(figure, "height", box.height);
}

static void put_element(im_strbuf *out, const char *name, const char *id, const char *text)
{
    im_strbuf_format(out, "<%s id=\"%s-%s\">", name, id, name);
    im_strbuf_escape(out, text);
    im_strbuf_format(out, "</%s>\n", name);
}

void im_figure_begin(im_figure *figure, im_strbuf *out)
{
    figure->out = out;
    figure->clips = 0;
    im_strbuf_format(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" id=\"%s\" "
                     "role=\"img\" aria-labelledby=\"%s-title %s-desc\" viewBox=\"0 0 ",
                     figure->id, figure->id, figure->id);
    im_figure_place(figure, figure->width);
    im_strbuf_put(out, " ");
    im_figure_place(figure, figure->height);
    im_strbuf_put(out, "\"");
    im_figure_number(figure, "width", figure->width);
    im_figure_number(figure, "height", figure->height);
    im_strbuf_put(out, " font-family=\"system-ui, sans-serif\" fill=\"currentColor\">\n");
    put_element(out, "title", figure->id, figure->title);
    put_element(out, "desc", figure->id, figure->about);
    if (figure->alone)
        im_strbuf_format(out,
                         "<style>#%s{background:#fff;color:#222}"
                         "@media(prefers-color-scheme:dark){#%s{background:#121212;"
                         "color:#ddd}}</style>\n",
                         figure->id, figure->id);
}

void im_figure_end(im_figure *figure)
{
    im_strbuf_put(figure->out, "</svg>\n");
}

im_box im_figure_cell(im_box area, size_t rows, size_t columns, size_t i)
{
    const double width = area.width / (double)columns, height = area.height / (double)rows;
    const size_t row = i / columns, column = i % columns;
    return (im_box){area.x + (double)column * width, area.y + (double)row * height, width,
                    height};
}

/* The bytes of the first `most` characters. */
static size_t bytes_of(const char *text, size_t most)
{
    const char *at = text, *end = text + strlen(text);
    while (at < end && most-- > 0)
        im_utf8_next(&at, end);
    return (size_t)(at - text);
}

/* Text, or its beginning and an ellipsis if it is longer than that many characters. */
static void put_cut(im_strbuf *out, const char *text, size_t most)
{
    if (text[bytes_of(text, most)] == '\0') {
        im_strbuf_escape(out, text);
        return;
    }
    im_strbuf_escape_bytes(out, text, bytes_of(text, most - 1));
    im_strbuf_put(out, "\xE2\x80\xA6");
}

/* Letters of these fonts are about 0.55 of their height wide. */
static size_t characters_in(double room, double size)
{
    return room > 0 ? (size_t)fmax(1, room / (0.55 * size)) : (size_t)-1;
}

void im_figure_text(im_figure *figure, im_lettering how, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    const double size = how.size > 0 ? how.size : IM_FIGURE_LETTERS;
    im_strbuf *out = figure->out;
    im_strbuf_put(out, "<text");
    if (how.turn) {
        im_strbuf_put(out, " transform=\"translate(");
        im_figure_place(figure, how.x);
        im_strbuf_put(out, " ");
        im_figure_place(figure, how.y);
        im_strbuf_put(out, ") rotate(-90)\"");
    } else {
        im_figure_number(figure, "x", how.x);
        im_figure_number(figure, "y", how.y);
    }
    im_figure_number(figure, "font-size", size);
    if (how.anchor != IM_ANCHOR_START)
        im_strbuf_format(out, " text-anchor=\"%s\"", anchors[how.anchor]);
    im_strbuf_put(out, how.bold ? " font-weight=\"600\">" : ">");
    put_cut(out, text, characters_in(how.room, size));
    im_strbuf_put(out, "</text>\n");
}

void im_figure_rule(im_figure *figure, double x0, double y0, double x1, double y1,
                    double opacity)
{
    im_strbuf_put(figure->out, "<path d=\"M");
    im_figure_place(figure, x0);
    im_strbuf_put(figure->out, " ");
    im_figure_place(figure, y0);
    im_strbuf_put(figure->out, "L");
    im_figure_place(figure, x1);
    im_strbuf_put(figure->out, " ");
    im_figure_place(figure, y1);
    im_strbuf_put(figure->out, "\" stroke=\"currentColor\"");
    im_figure_number(figure, "stroke-opacity", opacity);
    im_strbuf_put(figure->out, "/>\n");
}

void im_figure_clip(im_figure *figure, im_box box)
{
    const size_t number = figure->clips++;
    im_strbuf_format(figure->out, "<clipPath id=\"%s-clip%zu\"><rect", figure->id, number);
    im_figure_rectangle(figure, box);
    im_strbuf_format(figure->out, "/></clipPath>\n<g clip-path=\"url(#%s-clip%zu)\">\n",
                     figure->id, number);
}

void im_figure_clip_end(im_figure *figure)
{
    im_strbuf_put(figure->out, "</g>\n");
}

enum { SWATCH = 10, STROKE = 22, GAP = 6, LINE = 18, NAME_ROOM = 180 };

static double name_width(const char *name)
{
    const char *end = name + strlen(name);
    size_t characters = 0;
    for (; name < end; characters++)
        im_utf8_next(&name, end);
    return fmin(0.6 * IM_FIGURE_LETTERS * (double)characters, NAME_ROOM);
}

/* Where entry i of a legend stands in a box, from left to right and then in another row; *pen
 * is where the next would begin. */
static im_box entry_box(im_legend legend, im_box box, im_box *pen, size_t i)
{
    const double key = legend.lines ? STROKE : SWATCH;
    const double width = key + GAP + name_width(legend.names[i]) + 2 * GAP;
    if (i == 0)
        *pen = (im_box){box.x, box.y, 0, LINE};
    else if (pen->x + width > box.x + box.width)
        *pen = (im_box){box.x, pen->y + LINE, 0, LINE};
    const im_box entry = {pen->x, pen->y, key, LINE};
    pen->x += width;
    return entry;
}

double im_figure_legend_height(im_legend legend, double width)
{
    im_box pen = {0};
    for (size_t i = 0; i < legend.count; i++)
        entry_box(legend, (im_box){0, 0, width, 0}, &pen, i);
    return pen.y + pen.height;
}

static void draw_key(im_figure *figure, im_box entry, bool line, size_t i)
{
    if (line) {
        im_strbuf_put(figure->out, "<path d=\"M");
        im_figure_place(figure, entry.x);
        im_strbuf_put(figure->out, " ");
        im_figure_place(figure, entry.y + 7);
        im_strbuf_put(figure->out, "h");
        im_figure_place(figure, entry.width);
        im_strbuf_format(figure->out, "\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
                         im_figure_color(i), im_figure_dash(i));
        return;
    }
    im_strbuf_put(figure->out, "<rect");
    im_figure_rectangle(figure, (im_box){entry.x, entry.y + 2, SWATCH, SWATCH});
    im_strbuf_format(figure->out, " rx=\"2\" fill=\"%s\"/>\n", im_figure_color(i));
}

void im_figure_legend(im_figure *figure, im_box box, im_legend legend)
{
    im_box pen = {0};
    for (size_t i = 0; i < legend.count; i++) {
        const im_box entry = entry_box(legend, box, &pen, i);
        draw_key(figure, entry, legend.lines, i);
        im_figure_text(figure,
                       (im_lettering){.x = entry.x + entry.width + GAP,
                                      .y = entry.y + SWATCH + 1,
                                      .room = NAME_ROOM},
                       legend.names[i]);
    }
}
