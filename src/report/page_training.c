/* SPDX-License-Identifier: MIT
 *
 * The training: a figure for the objective and for each of its terms, with a line for every
 * run; the sizes of clusters beside what was expected; and the record of the model.
 */
#include "report/page.h"

#include "core/alloc.h"
#include "data/record.h"
#include "objective/mutual_info.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 420, HEIGHT = 240 };

/* ---- curves
 * ---------------------------------------------------------------------------------
 */

/* What a figure shows: the objective, or a term of it. */
typedef struct curve {
    const char *name, *formula; /* formula: NULL: none is said */
    const float *value;         /* (count) */
} curve;

/* The runs of the history, each as a line of every figure. */
typedef struct course {
    const imsat_history *history;
    double *epoch, *value; /* (count) */
    size_t runs;
    im_plot_series line[IM_HISTORY_RUNS];
    char name[IM_HISTORY_RUNS][32];
} course;

/* Which run was kept: seeds follow each other. */
static uint64_t kept_run(const im_material *m)
{
    uint64_t first = 0, kept = 0;
    const im_safetensors *record = &m->model->record;
    if (im_record_get_count(&first, record, "the model", "option.seed", NULL) != IMSAT_OK ||
        im_record_get_count(&kept, record, "the model", "result.seed", NULL) != IMSAT_OK)
        return UINT64_MAX;
    return kept - first;
}

/* Lines through all points of a run; the run that was kept stands out. */
static void list_lines(course *c, uint64_t kept)
{
    const imsat_history *h = c->history;
    for (size_t i = 0; i < h->count; i++) {
        c->epoch[i] = (double)h->epoch[i];
        if (i == 0 || h->run[i] != h->run[i - 1]) {
            const bool best = h->run[i] == kept;
            assert(c->runs < IM_HISTORY_RUNS); /* of a file this was checked */
            snprintf(c->name[c->runs], sizeof *c->name, "run %zu%s", (size_t)h->run[i] + 1,
                     best ? " *" : "");
            c->line[c->runs] = (im_plot_series){.name = c->name[c->runs],
                                                .x = c->epoch + i,
                                                .y = c->value + i,
                                                .faint = !best};
            c->runs++;
        }
        c->line[c->runs - 1].n++;
    }
    for (size_t r = 0; r < c->runs; r++)
        c->line[r].points = c->line[r].n == 1;
}

static void put_curve(im_strbuf *out, course *c, size_t number, curve shown)
{
    char id[32];
    snprintf(id, sizeof id, "curve-%zu", number);
    im_figure figure = {.id = id,
                        .title = shown.name,
                        .about = "Its mean over each epoch of the training, a line a run.",
                        .width = WIDTH,
                        .height = HEIGHT};
    for (size_t i = 0; i < c->history->count; i++)
        c->value[i] = (double)shown.value[i];
    im_strbuf_put(out, "<div class=\"figure\">");
    im_figure_begin(&figure, out);
    im_plot_lines(&figure, (im_box){0, 0, WIDTH, HEIGHT},
                  (im_plot_axes){.title = shown.name, .x = {.label = "epoch"}}, c->line,
                  c->runs);
    im_figure_end(&figure);
    if (shown.formula) {
        im_strbuf_put(out, "<p class=\"quiet\">");
        im_strbuf_escape(out, shown.formula);
        im_strbuf_put(out, "</p>");
    }
    im_strbuf_put(out, "</div>\n");
}

static bool has_terms(const course *c)
{
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (c->history->term[t])
            return true;
    return false;
}

/* What the figures are, and what they leave out. */
static void put_legend(im_strbuf *out, const im_material *m, const course *c)
{
    const double runs = im_material_number(m, "option.runs", 1);
    im_strbuf_put(out, has_terms(c)
                           ? "<p>The objective, which every run makes small, and its terms: "
                             "means over each epoch."
                           : "<p>What the training makes small: its mean over each epoch.");
    if (c->runs > 1)
        im_strbuf_put(out, " The run that was kept, the one of the smallest objective over "
                           "all rows, has a star.");
    if ((double)c->runs < runs && c->runs == IM_HISTORY_RUNS)
        im_strbuf_format(out, " Of the runs, these are the first %d, the best and the last.",
                         IM_HISTORY_RUNS - 2);
    im_strbuf_put(out, "</p>\n");
}

/* Not 0 all the time, as the weight decay of a method without is. */
static bool has_part(const float *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (value[i] < 0 || value[i] > 0)
            return true;
    return false;
}

static void put_course(im_strbuf *out, const im_material *m, course *c)
{
    const imsat_history *h = c->history;
    list_lines(c, kept_run(m));
    put_legend(out, m, c);
    im_strbuf_put(out, "<div class=\"figures\">\n");
    put_curve(out, c, 0, (curve){has_terms(c) ? "objective" : "loss", NULL, h->objective});
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (h->term[t] && has_part(h->term[t], h->count))
            put_curve(out, c, t + 1,
                      (curve){imsat_term_name((imsat_term)t),
                              imsat_term_formula((imsat_term)t), h->term[t]});
    im_strbuf_put(out, "</div>\n");
}

static void put_curves(im_strbuf *out, const im_material *m)
{
    course c = {.history = imsat_model_history(m->model)};
    c.epoch = im_alloc(c.history->count, sizeof *c.epoch);
    c.value = im_alloc(c.history->count, sizeof *c.value);
    if (c.epoch && c.value)
        put_course(out, m, &c);
    else
        out->failed = true;
    im_free(c.epoch);
    im_free(c.value);
}

static bool has_epochs(const im_material *m)
{
    return imsat_option_used(imsat_option_named("epochs"), im_page_method(m),
                             imsat_model_task(m->model)) != 0;
}

/* What the record has where there is no course. */
static void put_last(im_strbuf *out, const im_material *m)
{
    im_strbuf_put(out,
                  has_epochs(m)
                      ? "<p>Where the training ended; its course is not in the model's "
                        "file.</p>\n"
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
        if (!isfinite(value))
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
    if (imsat_model_history(m->model))
        put_curves(out, m);
    else
        put_last(out, m);
    im_page_section_end(out);
}

/* ---- sizes
 * ----------------------------------------------------------------------------------
 */

/* What the prior of a model is of: nothing that is known, equal shares, or those it keeps. */
typedef enum prior { PRIOR_NONE, PRIOR_EQUAL, PRIOR_GIVEN } prior;

static prior prior_of(const im_material *m)
{
    const char *text = im_material_record(m, "option.prior");
    if (text && strcmp(text, "uniform") == 0)
        return PRIOR_EQUAL;
    return m->model->prior ? PRIOR_GIVEN : PRIOR_NONE;
}

static int largest_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* share (3 k), the last two thirds of it scratch: of each cluster, as the prior has it. After
 * an even start a prior says how large clusters are, not which (train/head_clusters.c). */
static void expect(double *share, const im_material *m)
{
    const size_t k = m->found.outputs;
    double *sorted = share + k, *size = sorted + k;
    const prior kind = prior_of(m);
    for (size_t j = 0; j < k; j++) {
        share[j] = m->found.hash         ? 0.5
                   : kind == PRIOR_NONE  ? (double)NAN
                   : kind == PRIOR_EQUAL ? 1 / (double)k
                                         : m->model->prior[j];
        sorted[j] = share[j];
        size[j] = (double)m->found.sizes[j];
    }
    if (kind == PRIOR_GIVEN && im_material_number(m, "option.even_start", 0) > 0) {
        qsort(sorted, k, sizeof *sorted, largest_first);
        im_prior_kl_match(share, size, sorted, k);
    }
}

static const char *about_sizes(const im_material *m)
{
    if (m->found.hash)
        return "A bit tells most when half of the rows have it.";
    switch (prior_of(m)) {
    case PRIOR_EQUAL:
        return "Rows of each cluster; the line across a bar is the size that the prior "
               "expects: the same for all.";
    case PRIOR_GIVEN:
        return "Rows of each cluster; the line across a bar is the size that the prior "
               "expects.";
    default: return "Rows of each cluster. The method expects no sizes.";
    }
}

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
    const double whole = g->hash ? 1 : (double)g->n;
    im_plot_bar *bars = im_alloc(k, sizeof *bars);
    char(*names)[24] = im_alloc(k, sizeof *names);
    double *share = im_alloc(k, 3 * sizeof *share);
    if (!bars || !names || !share) {
        out->failed = true;
    } else {
        expect(share, m);
        for (size_t j = 0; j < k; j++) {
            snprintf(names[j], sizeof names[j], "%zu", j);
            bars[j] = (im_plot_bar){names[j], whole * (double)g->sizes[j] / (double)g->n,
                                    whole * share[j]};
        }
        im_page_section(out, "sizes", g->hash ? "Bits" : "Sizes");
        im_strbuf_format(out, "<p>%s</p>\n", about_sizes(m));
        put_bars(out, m, bars);
        im_page_section_end(out);
    }
    im_free(bars);
    im_free(names);
    im_free(share);
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
