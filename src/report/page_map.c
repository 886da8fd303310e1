/* SPDX-License-Identifier: MIT
 *
 * The map and the search. What is interactive is drawn by page.js from the data at the end of
 * the page; without a script there is a figure of some rows in its place.
 */
#include "report/page.h"

#include "core/alloc.h"

/* ---- the figure without a script
 * --------------------------------------------------------------
 */

enum { POINTS = 1500, SIDE = 640 };

static void draw_points(im_strbuf *out, const im_material *m, double *x, double *y,
                        int32_t *class_of)
{
    const size_t count = im_size_min(m->sample.count, POINTS);
    const size_t every = m->sample.count / count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * every;
        x[i] = m->place[2 * at];
        y[i] = m->place[2 * at + 1];
        class_of[i] = m->sample_labels ? m->sample_labels[at] : 0;
    }
    im_figure figure = {.id = "map-figure",
                        .title = "Map",
                        .about = "Some rows as points, near each other where rows are alike, "
                                 "in the colors of their clusters.",
                        .width = SIDE,
                        .height = SIDE};
    im_figure_begin(&figure, out);
    im_plot_scatter(&figure, (im_box){0, 0, SIDE, SIDE},
                    (im_plot_axes){.bare = true,
                                   .x = {.low = -0.02, .high = 1.02},
                                   .y = {.low = -0.02, .high = 1.02}},
                    &(im_plot_points){.x = x,
                                      .y = y,
                                      .class_of = class_of,
                                      .n = count,
                                      .classes = m->sample_labels ? m->found.outputs : 1});
    im_figure_end(&figure);
}

static void put_figure(im_strbuf *out, const im_material *m)
{
    double *places = im_alloc((size_t)2 * POINTS, sizeof *places);
    int32_t *class_of = im_alloc(POINTS, sizeof *class_of);
    im_strbuf_put(out, "<noscript><div class=\"figure\">\n");
    if (places && class_of)
        draw_points(out, m, places, places + POINTS, class_of);
    else
        out->failed = true;
    im_strbuf_put(out, "</div></noscript>\n");
    im_free(places);
    im_free(class_of);
}

/* ---- the map
 * --------------------------------------------------------------------------------
 */

static void put_choice(im_strbuf *out, const char *value, const char *label, bool checked)
{
    im_strbuf_format(out,
                     "<label><input type=\"radio\" name=\"color\" value=\"%s\"%s/> "
                     "%s</label>\n",
                     value, checked ? " checked=\"checked\"" : "", label);
}

static void put_tools(im_strbuf *out, const im_material *m)
{
    const bool hash = m->found.hash, classes = m->classes.count > 0;
    im_strbuf_put(out, "<div class=\"tools\">\n<fieldset><legend>Color by</legend>\n");
    if (!hash)
        put_choice(out, "cluster", "cluster", true);
    put_choice(out, "confidence", hash ? "certainty" : "confidence", hash && !classes);
    if (classes)
        put_choice(out, "class", "class", hash);
    im_strbuf_put(out,
                  "</fieldset>\n<div class=\"zoom\" role=\"group\" aria-label=\"Zoom\">"
                  "<button type=\"button\" id=\"zoom-in\" aria-label=\"Zoom in\">+</button>"
                  "<button type=\"button\" id=\"zoom-out\" aria-label=\"Zoom out\">"
                  "\xe2\x88\x92</button><button type=\"button\" id=\"zoom-all\">All"
                  "</button></div>\n</div>\n");
}

static void put_stage(im_strbuf *out, const im_material *m)
{
    im_strbuf_put(out, "<div id=\"atlas\" hidden=\"hidden\">\n");
    put_tools(out, m);
    im_strbuf_put(out,
                  "<div class=\"stage\">\n<div class=\"canvas\"><canvas id=\"canvas\" "
                  "tabindex=\"0\" role=\"application\" aria-roledescription=\"map\" "
                  "aria-label=\"Map of rows\" aria-describedby=\"map-keys\"></canvas></div>\n"
                  "<div class=\"side\"><div id=\"row\" aria-live=\"polite\"></div>\n"
                  "<div id=\"legend\" role=\"group\" aria-label=\"Legend: choose what is "
                  "shown\"></div></div>\n</div>\n"
                  "<p id=\"map-keys\" class=\"quiet\">Point at a row to see it, click to ");
    im_strbuf_put(out, m->found.hash ? "search for it" : "choose its cluster or class");
    im_strbuf_put(out,
                  "; drag to move, and once the map was clicked, turn the wheel to zoom. With "
                  "the keyboard: arrows go from row to row, + and \xe2\x88\x92 zoom, 0 shows "
                  "all, Enter does what a click does, Escape chooses none.</p>\n</div>\n");
}

void im_page_map(im_strbuf *out, const im_material *m)
{
    im_page_section(out, "map", "Map");
    im_strbuf_put(out, "<p>");
    if (m->sample.count < m->data->rows) {
        im_page_count(out, m->sample.count);
        im_strbuf_put(out, " rows, drawn at random, in the plane");
    } else {
        im_strbuf_put(out, "All rows in the plane");
    }
    im_strbuf_put(out,
                  ", such that neighbors in the data are neighbors here. The map knows "
                  "nothing of the model: where colors and heaps agree, the clusters are in "
                  "the data. Gaps between heaps, and how large they are, mean "
                  "little.</p>\n");
    put_stage(out, m);
    put_figure(out, m);
    im_page_section_end(out);
}

/* ---- the search
 * -----------------------------------------------------------------------------
 */

void im_page_search(im_strbuf *out, const im_material *m)
{
    im_page_section(out, "search", "Search");
    im_strbuf_put(out,
                  "<p>Rows whose codes differ in few bits are neighbors to a search. Choose "
                  "a row, here or on the map, to see its nearest among the rows of the map, "
                  "by the number of bits that differ.</p>\n"
                  "<noscript><p>Searching takes a script, which is not running."
                  "</p></noscript>\n"
                  "<form id=\"ask\" hidden=\"hidden\"><label for=\"query\">Row</label> "
                  "<input id=\"query\" type=\"number\" min=\"0\" max=\"");
    im_strbuf_count(out, m->data->rows - 1);
    im_strbuf_put(out, "\" step=\"1\" value=\"");
    im_strbuf_count(out, m->sample.rows[0]);
    im_strbuf_put(out, "\"/> <button type=\"submit\">Search</button> <button type=\"button\" "
                       "id=\"any\">Any row</button></form>\n"
                       "<div id=\"answer\" aria-live=\"polite\"></div>\n");
    im_page_section_end(out);
}
