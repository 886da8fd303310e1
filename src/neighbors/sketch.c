/* SPDX-License-Identifier: MIT
 * See sketch.h. */
#include "neighbors/sketch.h"

#include "core/alloc.h"
#include "linear/pca.h"
#include "linear/tile.h"

#include <assert.h>
#include <math.h>

enum {
    SAMPLE = 2048, /* rows that V is found on */
    ROUNDS = 3     /* of subspace iteration */
};

/* Of the sample's squares: with less in its sketches they are of no use. MNIST has 94 % in 128
 * of 784 coordinates, independent normal ones 29 %. */
static const double LEAST_SHARE = 0.6;

/* Whether the directions hold enough of what varies. */
static bool is_enough(const im_pca *pca)
{
    double along = 0;
    for (size_t i = 0; i < pca->m; i++)
        along += pca->variance[i];
    return along >= LEAST_SHARE * pca->total;
}

/* Each of the m coordinates is rounded d times: by at most g_d |v||x|, with |v| < 1. */
static double slope_of(size_t d, size_t m)
{
    return 1.01 * sqrt((double)m) * ((double)d + 2) * 0x1p-24;
}

static imsat_status project(im_sketch *s, const im_pca *pca, const im_frame *frame,
                            im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    s->rows.kept = im_alloc(frame->n, pca->m * sizeof *s->rows.kept);
    s->sq_norm = im_alloc(frame->n + IM_TILE_CHUNK, sizeof *s->sq_norm);
    s->row_sq_norm = im_alloc(frame->n, sizeof *s->row_sq_norm);
    if (!s->rows.kept || !s->sq_norm || !s->row_sq_norm)
        return im_fail_memory(err, "the sketches of the rows");
    IM_TRY(im_pca_project(s->rows.kept, pca, frame, pool, stage, err));
    IM_TRY(im_frame_sq_norms(s->sq_norm, &s->rows, pool, stage, err));
    IM_TRY(im_frame_sq_norms(s->row_sq_norm, frame, pool, stage, err));

cleanup:
    return st;
}

imsat_status im_sketch_new(im_sketch *out, const im_frame *frame, size_t width, im_pool *pool,
                           const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage still = im_stage_part(stage, 0, 0);
    im_pca pca = {0};
    im_sketch s = {.rows = {.n = frame->n, .d = width, .factor = frame->factor},
                   .bound = {width, slope_of(frame->d, width), frame->factor}};
    assert(1 <= width && width <= frame->d);
    IM_TRY(im_pca_fit(&pca, frame, width, SAMPLE, ROUNDS, &still, err));
    s.made = is_enough(&pca);
    if (s.made)
        IM_TRY(project(&s, &pca, frame, pool, &still, err));
    *out = s;
    s = (im_sketch){0};

cleanup:
    im_pca_clear(&pca);
    im_sketch_clear(&s);
    return st;
}

void im_sketch_clear(im_sketch *sketch)
{
    im_frame_clear(&sketch->rows);
    im_free(sketch->sq_norm);
    im_free(sketch->row_sq_norm);
    *sketch = (im_sketch){0};
}
