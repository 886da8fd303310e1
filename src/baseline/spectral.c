/* SPDX-License-Identifier: MIT
 * See spectral.h. */
#include "baseline/spectral.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "data/dataset.h"
#include "linear/condense.h"
#include "linear/kmeans.h"
#include "neighbors/graph.h"

#include <assert.h>

typedef struct cutter {
    im_fit *fit;
    im_frame frame;
    im_graph graph;
    float *embedding; /* (n,k) */
    im_kmeans found;  /* of the embedding */
    im_condense kept;
} cutter;

static void clear(cutter *c)
{
    im_condense_clear(&c->kept);
    im_kmeans_clear(&c->found);
    im_free(c->embedding);
    im_graph_clear(&c->graph);
    im_frame_clear(&c->frame);
}

/* ---- labels
 * ---------------------------------------------------------------------------------- */

/* The eigenvectors as rows, in float, the largest element 1. */
static imsat_status embed(cutter *c, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = c->frame.n, k = c->fit->opt->k;
    double *vectors = NULL, *values = NULL;
    c->embedding = im_alloc(n * k, sizeof *c->embedding);
    if (!c->embedding)
        return im_fail_memory(err, "the eigenvectors of the graph");
    IM_TRY(im_graph_embed(&vectors, &values, &c->graph, k, c->fit->pool, stage, err));
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < k; e++)
            c->embedding[i * k + e] = (float)vectors[e * n + i];

cleanup:
    im_free(vectors);
    im_free(values);
    return st;
}

static imsat_status cluster(cutter *c, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = c->fit->opt;
    const im_preprocess as_it_is = {.dim = o->k, .scale = 1, .factor = 1};
    const im_kmeans_options options = {.k = o->k,
                                       .restarts = o->restarts,
                                       .iterations = o->iterations,
                                       .tolerance = o->tolerance,
                                       .seed = c->fit->seed,
                                       .repair_empty = true};
    imsat_data *data = NULL;
    im_frame frame = {0};
    IM_TRY(imsat_data_view(&data, c->embedding, c->frame.n, o->k, o->k, err));
    IM_TRY(im_frame_fit(&frame, data, &as_it_is, c->fit->pool, stage, err));
    const im_rows rows = {&frame, NULL, frame.n};
    IM_TRY(im_kmeans_fit(&c->found, &rows, &options, c->fit->pool, stage, err));
    if (c->found.empty > 0)
        st = im_fail(err, IMSAT_EINVAL,
                     "the graph of neighbors has only %zu different places for rows, so there "
                     "are no %zu clusters; take a smaller k or more --graph-neighbors",
                     o->k - c->found.empty, o->k);

cleanup:
    im_frame_clear(&frame);
    imsat_data_free(data);
    return st;
}

/* ---- the network
 * -------------------------------------------------------------------------------- */

/* What a layer is made of: a unit for each row that was kept, with the score of k-means'
 * centers, s . x - |s|^2 / 2. */
typedef struct layer {
    double *w, *shift, *point;
    uint64_t *first;
    float *raw;
    double *prepare;
    im_real *row;
} layer;

static void set_units(layer *l, const cutter *c)
{
    const size_t d = c->frame.d, k = c->fit->opt->k;
    for (size_t u = 0; u < c->kept.count; u++) {
        const uint32_t row = c->kept.rows[u];
        im_frame_scaled(l->row, &c->frame, row, l->raw, l->prepare);
        l->first[c->found.labels[row] + 1]++;
        for (size_t j = 0; j < d; j++) {
            const double w = (im_real)(l->row[j] / c->frame.factor);
            l->w[u * d + j] = w;
            l->shift[u] -= w * w / 2;
        }
    }
    for (size_t g = 0; g < k; g++)
        l->first[g + 1] += l->first[g];
}

static imsat_status make_net(cutter *c, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t d = c->frame.d, k = c->fit->opt->k, units = c->kept.count;
    layer l = {im_alloc(units * d, sizeof(double)), im_alloc(units, sizeof(double)),
               im_alloc(d, sizeof(double)),         im_alloc(k + 1, sizeof(uint64_t)),
               im_alloc(d, sizeof(float)),          im_alloc(d, sizeof(double)),
               im_alloc(d, sizeof(im_real))};
    if (!l.w || !l.shift || !l.point || !l.first || !l.raw || !l.prepare || !l.row) {
        st = im_fail_memory(err, "the network of the rows that are kept");
        goto cleanup;
    }
    set_units(&l, c);
    assert(l.first[k] == units);
    IM_TRY(im_whole_layer(c->fit, &c->frame, l.w, l.point, l.shift, units, err));
    IM_TRY(im_net_read_out(&c->fit->net, IM_READOUT_NEAREST, k, l.first, err));

cleanup:
    im_free(l.w);
    im_free(l.shift);
    im_free(l.point);
    im_free(l.first);
    im_free(l.raw);
    im_free(l.prepare);
    im_free(l.row);
    return st;
}

/* ---- the method
 * --------------------------------------------------------------------------------- */

static imsat_status work(cutter *c, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_fit *fit = c->fit;
    const im_stage stage = im_whole_stage(fit, "cutting the graph of neighbors");
    const im_stage joining = im_stage_part(&stage, 0, 0.5);
    const im_stage embedding = im_stage_part(&stage, 0.5, 0.9);
    const im_stage last = im_stage_part(&stage, 0.9, 1);
    IM_TRY(im_whole_frame(&c->frame, fit, &stage, err));
    IM_TRY(im_graph_new(&c->graph, &c->frame, fit->opt->graph_neighbors, fit->pool, &joining,
                        err));
    IM_TRY(embed(c, &embedding, err));
    IM_TRY(cluster(c, &last, err));
    IM_TRY(im_condense_find(&c->kept, &c->frame, c->found.labels, fit->opt->k, fit->pool,
                            &last, err));
    IM_TRY(make_net(c, err));
    IM_TRY(im_graph_cut(&fit->run->about.objective, &c->graph, c->found.labels, fit->opt->k,
                        err));
    fit->run->about.epochs = c->found.iterations;

cleanup:
    return st;
}

imsat_status im_spectral_fit(im_fit *fit, imsat_error *err)
{
    cutter c = {.fit = fit};
    const imsat_status st = im_whole_end(fit, work(&c, err), err);
    clear(&c);
    return st;
}
