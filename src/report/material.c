/* SPDX-License-Identifier: MIT
 * See material.h. */
#include "report/material.h"

#include "core/alloc.h"
#include "imsat/choice.h"
#include "report/atlas.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
    MAP_BYTES = 32,  /* of a row of the map on the page, at most; a quarter goes to them */
    TEXT_ROWS = 3,   /* texts that are shown of a kind and a cluster, */
    TABLE_ROWS = 4,  /* rows of a table, */
    IMAGE_ROWS = 12, /* and images; fewer if there are many clusters: */
    ROWS_IN_ALL = 900
};

static int tell(void *user, double fraction)
{
    const im_material *m = user;
    const imsat_progress now = {.stage = "report", .fraction = fraction};
    if (!m->options.progress)
        return 0;
    im_flush_end(m->before);
    const int stop = m->options.progress(m->options.progress_user, &now);
    im_flush_begin();
    return stop;
}

/* ---- the record
 * -----------------------------------------------------------------------------
 */

const char *im_material_record(const im_material *material, const char *key)
{
    const char *name, *value;
    for (size_t i = 0; imsat_model_metadata(material->model, i, &name, &value) == IMSAT_OK;
         i++)
        if (strcmp(name, key) == 0)
            return value;
    return NULL;
}

double im_material_number(const im_material *material, const char *key, double otherwise)
{
    const char *text = im_material_record(material, key);
    double value;
    char end;
    return text && sscanf(text, "%lf%c", &value, &end) == 1 ? value : otherwise;
}

static imsat_status compare_rows(im_material *m, imsat_error *err)
{
    const char *recorded = im_material_record(m, "data.fingerprint");
    char text[24];
    uint64_t fingerprint;
    const imsat_status st = im_data_fingerprint(&fingerprint, m->data, NULL, err);
    if (st != IMSAT_OK)
        return st;
    snprintf(text, sizeof text, "%llu", (unsigned long long)fingerprint);
    m->same_rows = recorded && strcmp(recorded, text) == 0;
    return IMSAT_OK;
}

/* Are these rows better separated than rows without clusters? Rows that are too few for an
 * answer, or of a kind that has none, leave it open. */
static imsat_status test_structure(im_material *m, imsat_error *err)
{
    const im_preprocess *pre = &m->model->pre;
    imsat_options o;
    m->structure = -1;
    if (m->found.hash)
        return IMSAT_OK;
    imsat_options_init(&o, "kmeans", IMSAT_PRESET_DEFAULT);
    o.k = m->found.outputs;
    o.seed = m->options.seed;
    o.threads = (size_t)m->options.threads;
    o.scale = pre->scale;
    o.shift = pre->shift;
    o.standardize = pre->standardize;
    o.unit_norm = pre->unit_norm;
    o.center = pre->center;
    const imsat_status st =
        imsat_has_structure(&m->structure, &m->information, &m->without, m->data, &o, err);
    return st == IMSAT_EINVAL || st == IMSAT_EMISMATCH ? IMSAT_OK : st;
}

/* ---- the map
 * --------------------------------------------------------------------------------
 */

/* The map within 0 to 1, y upward, neither side stretched. */
static void fit_square(double *place, size_t n)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * n; i++) {
        low[i % 2] = fmin(low[i % 2], place[i]);
        high[i % 2] = fmax(high[i % 2], place[i]);
    }
    const double side = fmax(high[0] - low[0], high[1] - low[1]);
    for (size_t i = 0; i < 2 * n; i++) {
        const double middle = (low[i % 2] + high[i % 2]) / 2;
        place[i] = side > 0 ? (place[i] - middle) / side + 0.5 : 0.5;
    }
}

static imsat_status draw_map(im_material *m, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t most =
        im_size_min(m->options.map_rows, m->options.most_bytes / 4 / MAP_BYTES);
    IM_TRY(im_shown_draw(&m->sample, m->data, most < 2 ? 2 : most, m->options.seed, err));
    m->place = im_alloc(2 * m->sample.count, sizeof *m->place);
    if (!m->place) {
        st = im_fail_memory(err, "the map");
        goto cleanup;
    }
    IM_TRY(im_atlas_find(m->place, m->sample.data, &m->model->pre, m->options.seed, m->pool,
                         stage, err));
    fit_square(m->place, m->sample.count);

cleanup:
    return st;
}

static imsat_status label_sample(im_material *m, imsat_error *err)
{
    const size_t count = m->sample.count;
    if (m->found.hash) {
        m->sample_codes = im_alloc(count, imsat_code_bytes(m->found.outputs));
        if (!m->sample_codes)
            return im_fail_memory(err, "the codes of the map");
        return imsat_encode(m->model, m->sample.data, m->sample_codes, NULL,
                            m->options.threads, err);
    }
    m->sample_labels = im_alloc(count, sizeof *m->sample_labels);
    if (!m->sample_labels)
        return im_fail_memory(err, "the labels of the map");
    for (size_t i = 0; i < count; i++)
        m->sample_labels[i] = m->found.labels[m->sample.rows[i]];
    return IMSAT_OK;
}

/* ---- clusters
 * -------------------------------------------------------------------------------
 */

/* The largest first, of equal ones the first. */
static imsat_status order_clusters(im_material *m, imsat_error *err)
{
    const im_gather *g = &m->found;
    m->order = im_alloc(g->outputs, sizeof *m->order);
    if (!m->order)
        return im_fail_memory(err, "the order of clusters");
    for (size_t i = 0; i < g->outputs; i++) {
        size_t at = i;
        for (; at > 0 && g->sizes[i] > g->sizes[m->order[at - 1]]; at--)
            m->order[at] = m->order[at - 1];
        m->order[at] = i;
    }
    return IMSAT_OK;
}

/* How much of each cluster is shown: pictures may take 2/5 of the page. */
static void settle_amounts(im_material *m)
{
    const size_t k = m->found.outputs;
    size_t each = m->pictures.row ? IMAGE_ROWS : m->texts ? TEXT_ROWS : TABLE_ROWS;
    m->cards = im_size_min(k, IM_MATERIAL_CARDS);
    const size_t lists = IM_GATHER_KINDS * m->cards;
    assert(lists > 0); /* a model has clusters */
    each = im_size_min(each, ROWS_IN_ALL / lists);
    if (m->pictures.row)
        each = im_size_min(each, m->options.most_bytes * 2 / 5 / lists /
                                     im_thumbs_bytes(&m->pictures));
    m->each = each;
}

static imsat_status look_at_clusters(im_material *m, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (m->found.hash)
        return IMSAT_OK;
    IM_TRY(order_clusters(m, err));
    settle_amounts(m);
    if (!m->pictures.row)
        IM_TRY(im_marks_fit(&m->columns, m->sample.data, m->sample_labels, m->texts, err));

cleanup:
    return st;
}

/* ---- texts
 * ----------------------------------------------------------------------------------
 */

static int by_row(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* All rows that are shown somewhere, ascending and each once; returns how many. */
static size_t list_rows(size_t *rows, const im_material *m)
{
    size_t count = m->sample.count, kept = 0;
    memcpy(rows, m->sample.rows, count * sizeof *rows);
    for (size_t c = 0; c < m->cards; c++)
        for (size_t kind = 0; kind < IM_GATHER_KINDS; kind++) {
            const im_gather_list *list = &m->found.lists[m->order[c]][kind];
            for (size_t i = 0; i < im_size_min(list->count, m->each); i++)
                rows[count++] = list->row[i].row;
        }
    qsort(rows, count, sizeof *rows, by_row);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || rows[i] != rows[kept - 1])
            rows[kept++] = rows[i];
    return kept;
}

static imsat_status read_texts(im_material *m, imsat_error *err)
{
    if (!m->texts || m->options.npaths == 0 || !m->data->documents)
        return IMSAT_OK;
    const size_t most = m->sample.count + IM_GATHER_KINDS * m->cards * m->each;
    size_t *rows = im_alloc(most, sizeof *rows);
    if (!rows)
        return im_fail_memory(err, "the texts of the report");
    const imsat_status st =
        im_excerpts_read(&m->excerpts, m->data, rows, list_rows(rows, m), m->options.paths,
                         m->options.npaths, m->options.text_column, err);
    im_free(rows);
    return st;
}

/* ---- the whole
 * ------------------------------------------------------------------------------
 */

static imsat_status make(im_material *m, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage stage = {"making the report", tell, m, 0, 1};
    const im_stage predict = im_stage_part(&stage, 0, 0.3),
                   map = im_stage_part(&stage, 0.3, 1);
    size_t size;
    IM_TRY(im_pool_new(&m->pool, m->options.threads, err));
    m->texts = imsat_data_word(m->data, 0, &size) != NULL;
    IM_TRY(im_gather_rows(&m->found, m->model, m->data, m->options.threads, &predict, err));
    IM_TRY(compare_rows(m, err));
    IM_TRY(test_structure(m, err));
    if (m->options.truth)
        IM_TRY(im_classes_count(&m->classes, m->options.truth, &m->found, err));
    IM_TRY(draw_map(m, &map, err));
    IM_TRY(label_sample(m, err));
    IM_TRY(im_thumbs_fit(&m->pictures, m->data->image, m->sample.data, err));
    IM_TRY(look_at_clusters(m, err));
    IM_TRY(read_texts(m, err));

cleanup:
    return st;
}

imsat_status im_material_make(im_material *out, const imsat_model *model,
                              const imsat_data *data, const imsat_report_options *options,
                              imsat_error *err)
{
    im_material m = {.model = model, .data = data, .options = *options};
    if (m.options.most_bytes == 0)
        m.options.most_bytes = IM_MATERIAL_BYTES;
    if (m.options.map_rows == 0)
        m.options.map_rows = IM_MATERIAL_MAP;
    while (m.options.classes && m.options.classes[m.class_names])
        m.class_names++;
    m.before = im_flush_begin();
    const imsat_status st = im_data_check(data, 0, data->rows, make(&m, err), err);
    im_flush_end(m.before);
    if (st == IMSAT_OK)
        *out = m;
    else
        im_material_clear(&m);
    return st;
}

void im_material_clear(im_material *material)
{
    im_gather_clear(&material->found);
    im_shown_clear(&material->sample);
    im_free(material->sample_labels);
    im_free(material->sample_codes);
    im_free(material->place);
    im_thumbs_clear(&material->pictures);
    im_excerpts_clear(&material->excerpts);
    im_marks_clear(&material->columns);
    im_classes_clear(&material->classes);
    im_free(material->order);
    im_pool_free(material->pool);
    *material = (im_material){0};
}
