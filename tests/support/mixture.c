/* SPDX-License-Identifier: MIT
 * See mixture.h. */
#include "mixture.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "support.h"

#include <math.h>

void mixture_make(mixture *m, size_t n, size_t d, size_t components)
{
    const im_rng centers = {.seed = 5, .stream = IM_STREAM_INIT};
    const im_rng rows = {.seed = 6, .stream = IM_STREAM_INIT};
    *m = (mixture){.n = n, .d = d, .pre = {.dim = d, .scale = 1, .factor = 1}};
    m->x = im_alloc(n * d, sizeof *m->x);
    float *center = im_alloc(d, sizeof *center);
    assert_non_null(m->x);
    assert_non_null(center);
    for (size_t i = 0; i < n; i++) {
        im_rng_normals(m->x + i * d, d, rows, (uint32_t)i);
        im_rng_normals(center, d, centers, (uint32_t)(i % components));
        for (size_t j = 0; j < d; j++)
            m->x[i * d + j] += 3 * center[j];
    }
    im_free(center);
    m->block = (im_block){.base = (const unsigned char *)m->x,
                          .dtype = IM_F32,
                          .rows = n,
                          .dim = d,
                          .row_stride = d * sizeof *m->x,
                          .col_stride = sizeof *m->x};
    m->data = (imsat_data){.blocks = &m->block, .nblocks = 1, .rows = n, .dim = d};
}

void mixture_fit(mixture *m, int threads)
{
    assert_int_equal(im_pool_new(&m->pool, threads, NULL), IMSAT_OK);
    assert_int_equal(im_frame_fit(&m->frame, &m->data, &m->pre, m->pool, NULL, NULL),
                     IMSAT_OK);
}

void mixture_clear(mixture *m)
{
    im_frame_clear(&m->frame);
    im_pool_free(m->pool);
    im_free(m->x);
}

double mixture_distance(const mixture *m, size_t i, size_t j)
{
    double sq = 0;
    for (size_t k = 0; k < m->d; k++)
        sq += pow((double)m->x[i * m->d + k] - m->x[j * m->d + k], 2);
    return sqrt(sq);
}
