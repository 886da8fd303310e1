/* SPDX-License-Identifier: MIT
 * See atlas.h. */
#include "report/atlas.h"

#include "core/alloc.h"
#include "linear/pca.h"
#include "neighbors/layout.h"

enum { ROUNDS = 8 }; /* of the search for components: they need not be told apart well */

/* What is made on the way. */
typedef struct maker {
    im_frame frame; /* of the rows */
    im_pca pca;
    im_real *along;   /* (n,m) the rows along the components */
    float *narrow;    /* (n,m) the same as float, for a frame of their own */
    imsat_data *view; /* of these */
    im_frame near;    /* of these */
    im_graph graph;
} maker;

static void clear(maker *m)
{
    im_graph_clear(&m->graph);
    im_frame_clear(&m->near);
    imsat_data_free(m->view);
    im_free(m->narrow);
    im_free(m->along);
    im_pca_clear(&m->pca);
    im_frame_clear(&m->frame);
}

static imsat_status project(maker *m, const imsat_data *data, const im_preprocess *pre,
                            im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = im_size_min(data->dim, IM_ATLAS_WIDTH), count = data->rows * width;
    const im_stage fit = im_stage_part(stage, 0, 0.2), find = im_stage_part(stage, 0.2, 0.9);
    const im_stage last = im_stage_part(stage, 0.9, 1);
    IM_TRY(im_frame_fit(&m->frame, data, pre, pool, &fit, err));
    IM_TRY(im_pca_fit(&m->pca, &m->frame, width, data->rows, ROUNDS, &find, err));
    m->along = im_alloc(count, sizeof *m->along);
    m->narrow = im_alloc(count, sizeof *m->narrow);
    if (!m->along || !m->narrow)
        return im_fail_memory(err, "the rows of the map");
    IM_TRY(im_pca_project(m->along, &m->pca, &m->frame, pool, &last, err));
    for (size_t i = 0; i < count; i++)
        m->narrow[i] = (float)m->along[i];
    st = imsat_data_view(&m->view, m->narrow, data->rows, width, width, err);

cleanup:
    return st;
}

imsat_status im_atlas_find(double *place, const imsat_data *data, const im_preprocess *pre,
                           uint64_t seed, im_pool *pool, const im_stage *stage,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    maker m = {0};
    const im_layout_options options = {seed, IM_LAYOUT_ROUNDS};
    const im_stage first = im_stage_part(stage, 0, 0.3), near = im_stage_part(stage, 0.3, 0.5);
    const im_stage last = im_stage_part(stage, 0.5, 1);
    if (data->rows < 2) {
        memset(place, 0, 2 * data->rows * sizeof *place);
        return IMSAT_OK;
    }
    IM_TRY(project(&m, data, pre, pool, &first, err));
    const size_t width = m.pca.m;
    const im_preprocess as_it_is = {.dim = width, .scale = 1, .factor = 1};
    IM_TRY(im_frame_fit(&m.near, m.view, &as_it_is, pool, &near, err));
    IM_TRY(im_graph_new(&m.graph, &m.near, IM_ATLAS_NEIGHBORS, pool, &near, err));
    im_layout_start(place, m.along, data->rows, width, seed);
    IM_TRY(im_layout_find(place, &m.graph, &options, pool, &last, err));

cleanup:
    clear(&m);
    return st;
}
