/* SPDX-License-Identifier: MIT
 *
 * The classes that were given against clusters, as a table of counts. Clusters stand in the
 * order of the class that most of their rows have, so that what agrees is near the diagonal;
 * classes are rows, since their names may be long.
 */
#include "report/page.h"

#include "core/alloc.h"

#include <math.h>
#include <stdio.h>

/* The table with its columns in order, and the names of rows and columns. */
typedef struct grid {
    double *count; /* (classes, clusters) */
    const char **rows, **columns;
    char (*text)[24]; /* of columns, and of rows that are numbers */
} grid;

static size_t majority(const im_material *m, size_t cluster)
{
    const im_classes *c = &m->classes;
    const double *row = c->meets + cluster * c->count;
    size_t best = 0;
    for (size_t j = 1; j < c->count; j++)
        best = row[j] > row[best] ? j : best;
    return best;
}

static void fill(grid *g, const im_material *m)
{
    const size_t k = m->found.outputs, classes = m->classes.count;
    size_t at = 0;
    for (size_t class = 0; class < classes; class ++)
        for (size_t c = 0; c < k; c++) {
            if (majority(m, c) != class)
                continue;
            for (size_t j = 0; j < classes; j++)
                g->count[j * k + at] = m->classes.meets[c * classes + j];
            snprintf(g->text[at], sizeof g->text[at], "%zu", c);
            g->columns[at] = g->text[at];
            at++;
        }
    for (size_t j = 0; j < classes; j++)
        g->rows[j] = im_page_class(m, j, g->text[k + j]);
}

/* Room for the longest name, within reason. */
static double width_of_names(const grid *g, size_t classes)
{
    enum { LETTER = 6, BESIDE = 26, MOST = 216 };
    size_t longest = 0;
    for (size_t j = 0; j < classes; j++) {
        const size_t length = strlen(g->rows[j]);
        longest = length > longest ? length : longest;
    }
    return fmin(LETTER * (double)longest + BESIDE, MOST);
}

static void draw(im_strbuf *out, const grid *g, const im_material *m)
{
    const size_t k = m->found.outputs, classes = m->classes.count;
    const double names = width_of_names(g, classes);
    const double width = 80 + names + 34.0 * (double)k, height = 70 + 26.0 * (double)classes;
    im_figure figure = {.id = "classes-figure",
                        .title = "Classes against clusters",
                        .about =
                            "A row a class, a column a cluster: how many rows they share, "
                            "the darker the larger a share of the class.",
                        .width = width < 320 ? 320 : width,
                        .height = height};
    im_strbuf_put(out, "<div class=\"figure\">");
    im_figure_begin(&figure, out);
    im_plot_heat(
        &figure, (im_box){0, 0, figure.width, figure.height},
        (im_plot_axes){.x = {.label = "cluster"}, .y = {.label = "class"}, .names = names},
        &(im_plot_table){g->count, classes, k, g->rows, g->columns});
    im_figure_end(&figure);
    im_strbuf_put(out, "</div>\n");
}

void im_page_classes(im_strbuf *out, const im_material *m)
{
    const size_t k = m->found.outputs, classes = m->classes.count;
    grid g = {im_alloc(k * classes, sizeof *g.count), im_alloc(classes, sizeof *g.rows),
              im_alloc(k, sizeof *g.columns), im_alloc(k + classes, sizeof *g.text)};
    if (!g.count || !g.rows || !g.columns || !g.text) {
        out->failed = true;
    } else {
        im_page_section(out, "classes", "Clusters against classes");
        im_strbuf_put(out,
                      "<p>How many rows of each class are in each cluster. The classes were "
                      "given for this page only; the model has not seen them.</p>\n");
        fill(&g, m);
        draw(out, &g, m);
        im_page_section_end(out);
    }
    im_free(g.count);
    im_free(g.rows);
    im_free(g.columns);
    im_free(g.text);
}
