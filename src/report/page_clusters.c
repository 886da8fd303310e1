/* SPDX-License-Identifier: MIT
 *
 * A card for each cluster: its most typical, borderline and strange rows, as pictures, as
 * texts, or in the columns in which the cluster differs most (page_columns.c).
 */
#include "report/page.h"

#include "core/alloc.h"

#include <math.h>

static const char *const kinds[IM_GATHER_KINDS] = {"Typical", "Borderline", "Strange"};

static size_t shown(const im_material *m, const im_gather_list *list)
{
    return im_size_min(list->count, m->each);
}

/* "row 17, 0.98; or cluster 3": what is to be said of a row. */
static void put_about(im_strbuf *out, const im_gather_row *row, size_t kind)
{
    im_strbuf_format(out, "row %zu, confidence ", row->row);
    im_strbuf_fixed(out, (double)row->confidence, 2);
    if (kind == IM_GATHER_BORDERLINE)
        im_strbuf_format(out, ", or cluster %d", (int)row->other);
    if (kind == IM_GATHER_STRANGE) {
        im_strbuf_put(out, ", distance ");
        im_strbuf_fixed(out, (double)row->distance, 2);
    }
}

/* ---- pictures
 * -------------------------------------------------------------------------------
 */

static imsat_status put_picture(im_strbuf *out, im_material *m, const im_gather_row *row,
                                size_t kind, imsat_error *err)
{
    im_strbuf_put(out, "<li><img alt=\"");
    put_about(out, row, kind);
    im_strbuf_put(out, "\" title=\"");
    put_about(out, row, kind);
    im_strbuf_put(out, "\" src=\"");
    const imsat_status st = im_thumbs_put(out, &m->pictures, m->data, row->row, err);
    im_strbuf_put(out, "\"/></li>");
    return st;
}

static imsat_status put_pictures(im_strbuf *out, im_material *m, size_t cluster,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t kind = 0; kind < IM_GATHER_KINDS; kind++) {
        const im_gather_list *list = &m->found.lists[cluster][kind];
        if (shown(m, list) == 0)
            continue;
        im_strbuf_format(out, "<h4>%s</h4>\n<ul class=\"pictures\">", kinds[kind]);
        for (size_t i = 0; i < shown(m, list); i++)
            IM_TRY(put_picture(out, m, &list->row[i], kind, err));
        im_strbuf_put(out, "</ul>\n");
    }

cleanup:
    return st;
}

/* ---- texts
 * ----------------------------------------------------------------------------------
 */

static void put_words(im_strbuf *out, im_material *m, size_t cluster)
{
    enum { WORDS = 12 };
    im_mark marks[WORDS];
    const size_t count = im_marks_mark(marks, WORDS, &m->columns, (int32_t)cluster);
    if (count == 0)
        return;
    im_strbuf_put(out, "<p class=\"words\"><span class=\"quiet\">Words:</span> ");
    for (size_t i = 0; i < count; i++) {
        im_strbuf_put(out, i > 0 ? ", <b>" : "<b>");
        im_page_column_name(out, m, marks[i].column);
        im_strbuf_put(out, "</b>");
    }
    im_strbuf_put(out, "</p>\n");
}

/* The words that weigh most in a row, where its text cannot be had. */
static void put_row_words(im_strbuf *out, im_material *m, size_t row)
{
    enum { WORDS = 8 };
    float *x = m->columns.row;
    im_data_row(x, m->data, row);
    for (size_t i = 0; i < WORDS; i++) {
        size_t best = 0;
        for (size_t j = 1; j < m->data->dim; j++)
            best = x[j] > x[best] ? j : best;
        if (!(x[best] > 0))
            return;
        x[best] = 0;
        im_strbuf_put(out, i > 0 ? ", " : "");
        im_page_column_name(out, m, best);
    }
}

static void put_text(im_strbuf *out, im_material *m, const im_gather_row *row, size_t kind)
{
    const char *text = im_excerpts_of(&m->excerpts, row->row);
    im_strbuf_put(out, "<li>");
    if (text)
        im_strbuf_escape(out, text);
    else
        put_row_words(out, m, row->row);
    im_strbuf_put(out, " <span class=\"quiet\">(");
    put_about(out, row, kind);
    im_strbuf_put(out, ")</span></li>\n");
}

static void put_texts(im_strbuf *out, im_material *m, size_t cluster)
{
    put_words(out, m, cluster);
    for (size_t kind = 0; kind < IM_GATHER_KINDS; kind++) {
        const im_gather_list *list = &m->found.lists[cluster][kind];
        if (shown(m, list) == 0)
            continue;
        im_strbuf_format(out, "<h4>%s</h4>\n<ul class=\"texts\">\n", kinds[kind]);
        for (size_t i = 0; i < shown(m, list); i++)
            put_text(out, m, &list->row[i], kind);
        im_strbuf_put(out, "</ul>\n");
    }
}

/* ---- a card
 * ---------------------------------------------------------------------------------
 */

/* The class that most of its rows have. */
static void put_majority(im_strbuf *out, const im_material *m, size_t cluster)
{
    const im_classes *c = &m->classes;
    const double *row = c->meets + cluster * c->count;
    size_t best = 0;
    for (size_t j = 1; j < c->count; j++)
        best = row[j] > row[best] ? j : best;
    char number[IM_PAGE_NUMBER];
    im_strbuf_put(out, " \xc2\xb7 mostly class ");
    im_strbuf_escape(out, im_page_class(m, best, number));
    im_strbuf_put(out, ", ");
    im_page_percent(out, row[best] / (double)m->found.sizes[cluster]);
}

static void put_heading(im_strbuf *out, const im_material *m, size_t cluster)
{
    const im_gather *g = &m->found;
    const size_t size = g->sizes[cluster];
    im_strbuf_format(out,
                     "<article class=\"card\" aria-labelledby=\"cluster-%zu\">\n<h3 "
                     "id=\"cluster-%zu\">",
                     cluster, cluster);
    im_page_swatch(out, cluster, g->outputs);
    im_strbuf_format(out, " Cluster %zu</h3>\n<p class=\"quiet\">", cluster);
    im_page_count(out, size);
    im_strbuf_put(out, im_page_plural(size, " row, ", " rows, "));
    im_page_percent(out, (double)size / (double)g->n);
    if (size > 0) {
        im_strbuf_put(out, " \xc2\xb7 mean confidence ");
        im_strbuf_padded(out, g->sure[cluster], 2);
    }
    if (size > 0 && m->classes.meets)
        put_majority(out, m, cluster);
    im_strbuf_format(out,
                     "</p>\n<button type=\"button\" class=\"show\" data-cluster=\"%zu\" "
                     "hidden=\"hidden\">Show on the map<span class=\"unseen\">: cluster "
                     "%zu</span></button>\n",
                     cluster, cluster);
}

static imsat_status put_card(im_strbuf *out, im_material *m, size_t cluster, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    put_heading(out, m, cluster);
    if (m->pictures.row)
        IM_TRY(put_pictures(out, m, cluster, err));
    else if (m->texts)
        put_texts(out, m, cluster);
    else
        im_page_columns(out, m, cluster);
    im_strbuf_put(out, "</article>\n");

cleanup:
    return st;
}

imsat_status im_page_clusters(im_strbuf *out, im_material *m, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_page_section(out, "clusters", "Clusters");
    im_strbuf_put(out, "<p>The largest first. <em>Typical</em> rows are ");
    im_strbuf_put(out, m->found.far_is_known ? "near others, which have the same cluster"
                                             : "those that the model is surest of");
    im_strbuf_put(out,
                  "; of <em>borderline</em> ones the model could nearly have said another "
                  "cluster");
    im_strbuf_put(out, m->found.far_is_known
                           ? "; <em>strange</em> ones are farthest from the training data."
                           : ".");
    if (m->cards < m->found.outputs)
        im_strbuf_format(out, " Only the %zu largest of %zu clusters are shown.", m->cards,
                         m->found.outputs);
    im_strbuf_format(out, "</p>\n<div class=\"cards%s\">\n", m->pictures.row ? " small" : "");
    for (size_t i = 0; i < m->cards; i++)
        IM_TRY(put_card(out, m, m->order[i], err));
    im_strbuf_put(out, "</div>\n");
    im_page_section_end(out);

cleanup:
    return st;
}
