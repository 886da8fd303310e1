/* SPDX-License-Identifier: MIT
 *
 * The training: a figure for the objective and for each of its terms, with a line for every
 * run; the sizes of clusters beside what was expected; and the record of the model.
 */
#include "report/page.h"

#include "core/alloc.h"
#include "report/history.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 420, HEIGHT = 240 };

/* ---- curves
 * ---------------------------------------------------------------------------------
 */

static bool has_term(const im_material *m, size_t value)
{
    return value == IM_HISTORY_OBJECTIVE ||
           imsat_method_has_term(im_page_method(m), imsat_model_task(m->model),
                                 (imsat_term)value);
}

/* Run r as a line; the one that was kept stands out. */
static im_plot_series line_of(const im_history_run *run, size_t value, const char *name,
                              bool kept)
{
    return (im_plot_series){.name = name,
                            .x = run->epoch,
                            .y = run->value[value],
                            .n = run->count,
                            .points = run->count == 1,
                            .faint = !kept};
}

static void put_curve(im_strbuf *out, const im_material *m, size_t value)
{
    const imsat_history *history = m->options.history;
    const double first = im_material_number(m, "option.seed", 0);
    const double kept = im_material_number(m, "result.seed", first) - first;
    const char *title =
        value == IM_HISTORY_OBJECTIVE ? "objective" : imsat_term_name((imsat_term)value);
    im_plot_series series[IM_HISTORY_RUNS];
    char names[IM_HISTORY_RUNS][32], id[32];
    for (size_t r = 0; r < history->runs; r++) {
        const bool best = (double)r >= kept && (double)r <= kept;
        snprintf(names[r], sizeof names[r], "run %zu%s", r + 1, best ? " *" : "");
        series[r] = line_of(&history->run[r], value, names[r], best);
    }
    snprintf(id, sizeof id, "curve-%zu", value);
    im_figure figure = {.id = id,
                        .title = title,
                        .about = "Its mean over each epoch of the training, a line a run.",
                        .width = WIDTH,
                        .height = HEIGHT};
    im_strbuf_put(out, "<div class=\"figure\">");
    im_figure_begin(&figure, out);
    im_plot_lines(&figure, (im_box){0, 0, WIDTH, HEIGHT},
                  (im_plot_axes){.title = title, .x = {.label = "epoch"}}, series,
                  history->runs);
    im_figure_end(&figure);
    im_strbuf_put(out, "</div>\n");
}

static void put_curves(im_strbuf *out, const im_material *m)
{
    im_strbuf_put(out,
                  "<p>The objective, which every run makes small, and its terms, epoch by "
                  "epoch. The run that was kept, the one of the smallest objective over "
                  "all rows, has a star.</p>\n<div class=\"figures\">\n");
    put_curve(out, m, IM_HISTORY_OBJECTIVE);
    for (size_t value = 0; value < IMSAT_TERMS; value++)
        if (has_term(m, value))
            put_curve(out, m, value);
    im_strbuf_put(out, "</div>\n");
}

static bool has_epochs(const im_material *m)
{
    return imsat_option_used(imsat_option_named("epochs"), im_page_method(m),
                             imsat_model_task(m->model)) != 0;
}

/* What the record has where the course was not kept. */
static void put_last(im_strbuf *out, const im_material *m)
{
    im_strbuf_put(out,
                  has_epochs(m)
                      ? "<p>Where the training ended. A page that is written by "
                        "<code>imsat cluster --report</code> or <code>imsat hash "
                        "--report</code> shows its whole course as curves.</p>\n"
                      : "<p>This method has no epochs, and so no curves; this is where it "
                        "ended.</p>\n");
    im_strbuf_put(out, "<dl class=\"facts\">\n");
    im_strbuf_put(out, "<div><dt>objective</dt><dd>");
    im_strbuf_fixed(out, im_material_number(m, "result.objective", NAN), 4);
    im_strbuf_put(out, "</dd></div>\n");
    for (imsat_term term = 0; term < IMSAT_TERMS; term++) {
        char key[40];
        snprintf(key, sizeof key, "result.%s", imsat_term_name(term));
        const double value = im_material_number(m, key, NAN);
        if (!has_term(m, term) || !isfinite(value))
            continue;
        im_strbuf_format(out, "<div><dt>%s</dt><dd>", imsat_term_name(term));
        im_strbuf_fixed(out, value, 4);
        im_strbuf_put(out, "</dd></div>\n");
    }
    im_strbuf_put(out, "</dl>\n");
}

void im_page_training(im_strbuf *out, const im_material *m)
{
    im_page_section(out, "training", "Training");
    if (m->options.history && m->options.history->runs > 0)
        put_curves(out, m);
    else
        put_last(out, m);
    im_page_section_end(out);
}

/* ---- sizes
 * ----------------------------------------------------------------------------------
 */

static void put_bars(im_strbuf *out, const im_material *m, const im_plot_bar *bars)
{
    const bool hash = m->found.hash;
    im_figure figure = {.id = "sizes-figure",
                        .title = hash ? "How often each bit is 1" : "Sizes of clusters",
                        .about = hash
                                     ? "A bar a bit: the share of rows that have it. A line "
                                       "marks one half."
                                     : "A bar a cluster: its rows. A line marks the size that "
                                       "was expected.",
                        .width = 880,
                        .height = 260};
    im_strbuf_put(out, "<div class=\"figure\">");
    im_figure_begin(&figure, out);
    im_plot_bars(&figure, (im_box){0, 0, figure.width, figure.height},
                 (im_plot_axes){.x = {.label = hash ? "bit" : "cluster"},
                                .y = {.label = hash ? "share of rows" : "rows"}},
                 bars, m->found.outputs);
    im_figure_end(&figure);
    im_strbuf_put(out, "</div>\n");
}

void im_page_sizes(im_strbuf *out, const im_material *m)
{
    const im_gather *g = &m->found;
    const size_t k = g->outputs;
    im_plot_bar *bars = im_alloc(k, sizeof *bars);
    char(*names)[24] = im_alloc(k, sizeof *names);
    if (!bars || !names) {
        out->failed = true;
    } else {
        for (size_t j = 0; j < k; j++) {
            const double share = m->options.prior ? m->options.prior[j] : 1 / (double)k;
            const double rows = (double)g->sizes[j], n = (double)g->n;
            snprintf(names[j], sizeof names[j], "%zu", j);
            bars[j] = g->hash ? (im_plot_bar){names[j], rows / n, 0.5}
                              : (im_plot_bar){names[j], rows, share * n};
        }
        im_page_section(out, "sizes", g->hash ? "Bits" : "Sizes");
        im_strbuf_put(out, g->hash
                               ? "<p>A bit tells most when half of the rows have it.</p>\n"
                               : "<p>Rows of each cluster; the line across a bar is the size "
                                 "that the prior expects.</p>\n");
        put_bars(out, m, bars);
        im_page_section_end(out);
    }
    im_free(bars);
    im_free(names);
}

/* ---- the record
 * -----------------------------------------------------------------------------
 */

/* The entry whose name comes next in the order of bytes; NULL: there is none. A model that was
 * just trained has them in another order than its file. */
static const char *next_entry(const im_material *m, const char *before)
{
    const char *name, *value, *next = NULL;
    for (size_t i = 0; imsat_model_metadata(m->model, i, &name, &value) == IMSAT_OK; i++)
        if ((!before || strcmp(name, before) > 0) && (!next || strcmp(name, next) < 0))
            next = name;
    return next;
}

void im_page_record(im_strbuf *out, const im_material *m)
{
    im_page_section(out, "record", "Record");
    im_strbuf_put(
        out, "<details><summary>Everything that the model's file says of its "
             "training</summary>\n<div class=\"wide\" tabindex=\"0\" "
             "role=\"region\" aria-label=\"Entries of the record\"><table>\n<thead><tr><th "
             "scope=\"col\">Name</th><th scope=\"col\">Value</th></tr></thead>\n"
             "<tbody>\n");
    for (const char *name = NULL; (name = next_entry(m, name));) {
        im_strbuf_put(out, "<tr><th scope=\"row\">");
        im_strbuf_escape(out, name);
        im_strbuf_put(out, "</th><td>");
        im_strbuf_escape(out, im_material_record(m, name));
        im_strbuf_put(out, "</td></tr>\n");
    }
    im_strbuf_put(out, "</tbody></table></div></details>\n");
    im_page_section_end(out);
}
