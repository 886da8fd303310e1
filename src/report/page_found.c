/* SPDX-License-Identifier: MIT
 *
 * What was found, and how far to trust it, in words. What the words are said of stands beside
 * them as a number, so that a reader may judge otherwise.
 */
#include "report/page.h"

#include <math.h>

/* ---- what was found
 * -------------------------------------------------------------------------
 */

static void put_rows_and_columns(im_strbuf *out, const im_material *m)
{
    const imsat_image image = m->data->image;
    im_page_count(out, m->data->rows);
    if (image.height > 0)
        im_strbuf_format(out, " images of %zu x %zu pixels%s", image.height, image.width,
                         image.channels == 3 ? " in color" : "");
    else if (m->texts)
        im_strbuf_put(out, " texts by ");
    else
        im_strbuf_put(out, " rows of ");
    if (image.height == 0) {
        im_page_count(out, m->data->dim);
        im_strbuf_put(out, m->texts ? " words" : " columns");
    }
    if (im_page_file(m)) {
        im_strbuf_put(out, " (");
        im_strbuf_escape(out, im_page_file(m));
        if (m->options.npaths > 1)
            im_strbuf_format(out, " and %zu more", m->options.npaths - 1);
        im_strbuf_put(out, ")");
    }
}

static void put_sizes(im_strbuf *out, const im_material *m)
{
    const im_gather *g = &m->found;
    const size_t most = g->sizes[m->order[0]], least = g->sizes[m->order[g->outputs - 1]];
    im_strbuf_put(out, " fell into <strong>");
    im_page_count(out, g->outputs);
    im_strbuf_put(out, " clusters</strong>, the largest of ");
    im_page_count(out, most);
    im_strbuf_put(out, " rows and the smallest of ");
    im_page_count(out, least);
    im_strbuf_put(out, ". ");
}

/* Of texts, a model learns from those that have some of its words, and is shown all. */
static void put_training_rows(im_strbuf *out, const im_material *m)
{
    const double rows = im_material_number(m, "data.rows", 0);
    if (m->same_rows) {
        im_strbuf_put(out, "these very rows.");
    } else if (rows >= 1 && rows <= (double)UINT32_MAX) {
        im_page_count(out, (size_t)rows);
        im_strbuf_put(out, " rows that are not just these.");
    } else {
        im_strbuf_put(out, "other rows than these.");
    }
}

static void put_paragraph(im_strbuf *out, const im_material *m)
{
    const im_gather *g = &m->found;
    im_strbuf_put(out, "<p class=\"lead\">");
    put_rows_and_columns(out, m);
    if (g->hash)
        im_strbuf_format(out, " became codes of <strong>%zu bits</strong>. ", g->outputs);
    else
        put_sizes(out, m);
    im_strbuf_put(out, "The model learned by <code>");
    im_strbuf_escape(out, im_page_method(m));
    im_strbuf_put(out, "</code>, without labels, from ");
    put_training_rows(out, m);
    if (m->classes.count > 0 && !g->hash) {
        im_strbuf_put(out, " Matched one to one, clusters and the ");
        im_page_count(out, m->classes.count);
        im_strbuf_put(out, " classes that were given agree on <strong>");
        im_page_percent(out, m->classes.score.acc);
        im_strbuf_put(out, "</strong> of the rows.");
    }
    im_strbuf_put(out, "</p>\n");
}

/* ---- numbers
 * --------------------------------------------------------------------------------
 */

static void begin_fact(im_strbuf *out, const char *name)
{
    im_strbuf_format(out, "<div><dt>%s</dt><dd>", name);
}

static void put_facts(im_strbuf *out, const im_material *m)
{
    const im_gather *g = &m->found;
    im_strbuf_put(out, "<dl class=\"facts\">\n");
    begin_fact(out, "rows");
    im_page_count(out, g->n);
    im_strbuf_put(out, "</dd></div>\n");
    begin_fact(out, g->hash ? "bits" : "clusters");
    im_page_count(out, g->outputs);
    im_strbuf_put(out, "</dd></div>\n");
    begin_fact(out, g->hash ? "mean certainty of a bit" : "mean confidence");
    im_strbuf_padded(out, g->mean, 2);
    im_strbuf_put(out, "</dd></div>\n");
    if (im_material_number(m, "option.runs", 1) > 1) {
        begin_fact(out, "agreement of runs");
        im_strbuf_padded(out, im_material_number(m, "result.agreement", NAN), 2);
        im_strbuf_put(out, "</dd></div>\n");
    }
    if (m->classes.count > 0 && !g->hash) {
        begin_fact(out, "accuracy");
        im_strbuf_padded(out, m->classes.score.acc, 3);
        im_strbuf_put(out, "</dd></div>\n");
    }
    im_strbuf_put(out, "</dl>\n");
}

/* ---- trust
 * ----------------------------------------------------------------------------------
 */

/* Of a measure that is 1 at best: how good, and what that means. */
typedef struct verdict {
    double least;
    const char *level; /* "good", "fair", "poor": the color of its mark */
    const char *text;
} verdict;

static const verdict *judge(const verdict *list, double value)
{
    while (value < list->least)
        list++;
    return list;
}

static void begin_point(im_strbuf *out, const verdict *v, const char *word)
{
    im_strbuf_format(out, "<li class=\"%s\"><strong>%s</strong> %s", v->level, word, v->text);
}

static void put_structure(im_strbuf *out, const im_material *m)
{
    static const verdict found = {
        0, "good",
        "The rows are better separated by so many clusters than rows without any would be: "
        "there is something to find"};
    static const verdict none = {
        0, "poor",
        "The rows are no better separated by so many clusters than rows without any would be: "
        "these clusters may be cuts through a whole"};
    if (m->structure < 0)
        return;
    begin_point(out, m->structure ? &found : &none, "Structure.");
    im_strbuf_put(out, " (information ");
    im_strbuf_padded(out, m->information, 2);
    im_strbuf_put(out, ", and ");
    im_strbuf_padded(out, m->without, 2);
    im_strbuf_put(out, " on rows of the same spread without clusters).</li>\n");
}

static void put_agreement(im_strbuf *out, const im_material *m)
{
    static const verdict clusters[] = {
        {0.9, "good", "Runs from different starts found nearly the same clusters"},
        {0.7, "fair",
         "Runs from different starts found mostly the same clusters; the rest depends on "
         "chance"},
        {0.4, "fair",
         "Runs from different starts agree on a part of the clusters only: look which ones "
         "return before you rely on one"},
        {-INFINITY, "poor",
         "Every run found other clusters: these are one of many ways to cut the data, which "
         "may have no such number of clusters"}};
    static const verdict codes[] = {
        {0.7, "good", "Runs from different starts order neighbors alike"},
        {0.4, "fair", "Runs from different starts order neighbors alike in part"},
        {-INFINITY, "poor", "Every run orders neighbors in another way"}};
    static const verdict single = {
        0, "fair",
        "There was one run only, so nothing is known about how much chance is in the result; "
        "training with <code>--runs 5</code> would tell."};
    const double agreement = im_material_number(m, "result.agreement", NAN);
    const double runs = im_material_number(m, "option.runs", 1);
    if (!(runs > 1) || !isfinite(agreement)) {
        begin_point(out, &single, "Stability is unknown.");
    } else {
        begin_point(out, judge(m->found.hash ? codes : clusters, agreement), "Stability.");
        im_strbuf_put(out, " (agreement of ");
        im_strbuf_fixed(out, runs, 0);
        im_strbuf_put(out, " runs: ");
        im_strbuf_padded(out, agreement, 2);
        im_strbuf_put(out, "; 1 is the same every time, 0 is chance).");
    }
    im_strbuf_put(out, "</li>\n");
}

static void put_confidence(im_strbuf *out, const im_material *m)
{
    static const verdict list[] = {{0.9, "good", "The model is sure of nearly all rows"},
                                   {0.6, "fair", "The model is sure of most rows"},
                                   {-INFINITY, "poor", "The model hesitates about many rows"}};
    const im_gather *g = &m->found;
    const double certain = (double)g->certain / (double)g->n;
    if (g->hash)
        return;
    begin_point(out, judge(list, certain), "Confidence.");
    im_strbuf_put(out, ": ");
    im_page_percent(out, certain);
    im_strbuf_put(out, " have a confidence of 0.9 or more; ");
    im_page_percent(out, (double)g->doubtful / (double)g->n);
    im_strbuf_put(
        out, g->far_is_known
                 ? " are below 0.6. It is the share of the rows nearby, and of the runs, "
                   "that have the same cluster: it tells rows apart, it is no proof.</li>\n"
                 : " are below 0.6. A model of this kind is sure of most that it is shown: "
                   "confidence tells rows apart, it is no proof.</li>\n");
}

static void put_far(im_strbuf *out, const im_material *m)
{
    static const verdict list[] = {
        {0.97, "good", "Hardly any row is unlike those that the model was trained on"},
        {0.9, "fair", "Some rows are unlike those that the model was trained on"},
        {-INFINITY, "poor",
         "Many rows are unlike those that the model was trained on, and what it says of them "
         "means little"}};
    const im_gather *g = &m->found;
    if (!g->far_is_known)
        return;
    begin_point(out, judge(list, 1 - (double)g->far / (double)g->n), "Strange rows.");
    im_strbuf_put(out, ": ");
    im_page_count(out, g->far);
    im_strbuf_put(out, im_page_plural(g->far, " is", " are"));
    im_strbuf_put(out, " farther from the training data than 99 in 100 of its own rows "
                       "are.</li>\n");
}

static void put_balance(im_strbuf *out, const im_material *m)
{
    static const verdict empty = {0, "poor", "Some clusters have no row:"};
    static const verdict full = {0, "good", "Every cluster has rows."};
    const im_gather *g = &m->found;
    size_t without = 0;
    if (g->hash)
        return;
    for (size_t j = 0; j < g->outputs; j++)
        without += g->sizes[j] == 0;
    begin_point(out, without ? &empty : &full, "Balance.");
    if (without)
        im_strbuf_format(out, " %zu of %zu are empty.", without, g->outputs);
    im_strbuf_put(out, " Clusters were asked to be about as large as the prior says, so even "
                       "sizes are no discovery.</li>\n");
}

static void put_classes(im_strbuf *out, const im_material *m)
{
    const imsat_cluster_score *score = &m->classes.score;
    if (m->classes.count == 0 || m->found.hash)
        return;
    im_strbuf_put(out, "<li class=\"fact\"><strong>Classes.</strong> Against the classes that "
                       "were given: accuracy ");
    im_strbuf_padded(out, score->acc, 3);
    im_strbuf_put(out, ", normalized mutual information ");
    im_strbuf_padded(out, score->nmi, 3);
    im_strbuf_put(out, ", adjusted Rand index ");
    im_strbuf_padded(out, score->ari, 3);
    im_strbuf_put(out, ", purity ");
    im_strbuf_padded(out, score->purity, 3);
    im_strbuf_put(out, ". The model has not seen them.</li>\n");
}

void im_page_found(im_strbuf *out, const im_material *m)
{
    im_page_section(out, "found", "What was found");
    put_paragraph(out, m);
    put_facts(out, m);
    im_strbuf_put(out, "<h3>How far to trust it</h3>\n<ul class=\"trust\">\n");
    put_structure(out, m);
    put_agreement(out, m);
    put_confidence(out, m);
    put_far(out, m);
    if (im_material_number(m, "result.marginal_kl", -1) >= 0)
        put_balance(out, m);
    put_classes(out, m);
    im_strbuf_put(out, "</ul>\n");
    im_page_section_end(out);
}
