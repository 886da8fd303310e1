/* SPDX-License-Identifier: MIT
 * See gather.h. */
#include "report/gather.h"

#include "core/alloc.h"

static const float CERTAIN = 0.9F, DOUBTFUL = 0.6F, BORDER = 0.98F;

/* The pass: what it fills, and what a piece needs. */
typedef struct pass {
    im_gather *out;
    const imsat_model *model;
    const imsat_data *data;
    const im_stage *stage;
    int threads;
    float *confidence, *distance; /* (room) owned */
    size_t room;
    imsat_status status; /* why the pass was stopped, if it was, */
    imsat_error why;     /* and the sentence */
} pass;

static void keep(im_gather_list *list, im_gather_row row)
{
    size_t at = list->count;
    while (at > 0 && row.score < list->row[at - 1].score)
        at--;
    if (at == IM_GATHER_ROWS)
        return;
    list->count += list->count < IM_GATHER_ROWS;
    for (size_t i = list->count - 1; i > at; i--)
        list->row[i] = list->row[i - 1];
    list->row[at] = row;
}

/* The largest of the others. */
static int32_t second(const float *proba, size_t k, int32_t label)
{
    size_t best = label == 0 ? 1 : 0;
    for (size_t j = 0; j < k; j++)
        if ((int32_t)j != label && proba[j] > proba[best])
            best = j;
    return (int32_t)best;
}

static void take_cluster(im_gather *g, size_t row, int32_t label, const float *proba,
                         float confidence, float distance)
{
    im_gather_list *lists = g->lists[label];
    const int32_t other = second(proba, g->outputs, label);
    im_gather_row one = {
        .row = row, .confidence = confidence, .distance = distance, .other = other};
    g->labels[row] = label;
    g->confidence[row] = one.confidence;
    g->sizes[label]++;
    g->sure[label] += (double)one.confidence;
    one.score = distance - confidence;
    keep(&lists[IM_GATHER_TYPICAL], one);
    one.score = proba[label] - proba[other];
    if (one.score < BORDER)
        keep(&lists[IM_GATHER_BORDERLINE], one);
    one.score = -distance;
    if (g->far_is_known)
        keep(&lists[IM_GATHER_STRANGE], one);
    g->far += (double)distance > g->limit;
}

static void take_code(im_gather *g, size_t row, const float *proba)
{
    double sum = 0;
    for (size_t d = 0; d < g->outputs; d++) {
        const bool set = proba[d] > 0.5F;
        sum += (double)(set ? proba[d] : 1 - proba[d]);
        g->sizes[d] += set;
    }
    g->confidence[row] = (float)(sum / (double)g->outputs);
}

static imsat_status measure(pass *p, const imsat_piece *piece, imsat_error *err)
{
    if (!p->out->far_is_known)
        return IMSAT_OK;
    if (piece->count > p->room) {
        im_free(p->confidence);
        im_free(p->distance);
        p->room = piece->count;
        p->confidence = im_alloc(p->room, sizeof *p->confidence);
        p->distance = im_alloc(p->room, sizeof *p->distance);
        if (!p->confidence || !p->distance)
            return im_fail_memory(err, "confidence and distances");
    }
    return imsat_confidence(p->confidence, p->distance, p->model, p->data, piece->first,
                            piece->count, piece->labels, piece->proba, p->threads, err);
}

static int take(void *user, const imsat_piece *piece)
{
    pass *p = user;
    im_gather *g = p->out;
    p->status = measure(p, piece, &p->why);
    for (size_t i = 0; i < piece->count && p->status == IMSAT_OK; i++) {
        const size_t row = piece->first + i;
        const float *proba = piece->proba + i * g->outputs;
        if (g->hash)
            take_code(g, row, proba);
        else
            take_cluster(g, row, piece->labels[i], proba,
                         g->far_is_known ? p->confidence[i] : proba[piece->labels[i]],
                         g->far_is_known ? p->distance[i] : 0);
        g->certain += g->confidence[row] >= CERTAIN;
        g->doubtful += g->confidence[row] < DOUBTFUL;
        g->mean += (double)g->confidence[row] / (double)g->n;
    }
    if (p->status == IMSAT_OK)
        p->status = im_stage_report(
            p->stage, (double)(piece->first + piece->count) / (double)g->n, &p->why);
    return p->status != IMSAT_OK;
}

static imsat_status begin(im_gather *g, const imsat_model *model, imsat_error *err)
{
    g->hash = imsat_model_task(model) == IMSAT_TASK_HASH;
    g->outputs = g->hash ? imsat_model_bits(model) : imsat_model_clusters(model);
    g->far_is_known = imsat_model_has_confidence(model) != 0;
    g->limit = imsat_model_outlier_distance(model);
    g->confidence = im_alloc(g->n, sizeof *g->confidence);
    g->sizes = im_alloc(g->outputs, sizeof *g->sizes);
    g->sure = im_alloc(g->outputs, sizeof *g->sure);
    if (!g->hash) {
        g->labels = im_alloc(g->n, sizeof *g->labels);
        g->lists = im_alloc(g->outputs, sizeof *g->lists);
    }
    if (!g->confidence || !g->sizes || !g->sure || (!g->hash && (!g->labels || !g->lists)))
        return im_fail_memory(err, "the labels of all rows");
    return IMSAT_OK;
}

imsat_status im_gather_rows(im_gather *out, const imsat_model *model, const imsat_data *data,
                            int threads, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_gather g = {.n = imsat_data_rows(data)};
    pass p = {.out = &g, .model = model, .data = data, .stage = stage, .threads = threads};
    IM_TRY(begin(&g, model, err));
    st = imsat_predict_stream(model, data, take, &p, threads, err);
    if (p.status != IMSAT_OK)
        st = im_fail(err, p.status, "%s", p.why.message);
    if (st != IMSAT_OK)
        goto cleanup;
    for (size_t j = 0; j < g.outputs; j++)
        if (g.sizes[j] > 0)
            g.sure[j] /= (double)g.sizes[j];
    *out = g;
    g = (im_gather){0};

cleanup:
    im_free(p.confidence);
    im_free(p.distance);
    im_gather_clear(&g);
    return st;
}

void im_gather_clear(im_gather *gather)
{
    im_free(gather->labels);
    im_free(gather->confidence);
    im_free(gather->sizes);
    im_free(gather->sure);
    im_free(gather->lists);
    *gather = (im_gather){0};
}
