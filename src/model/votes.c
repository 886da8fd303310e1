/* SPDX-License-Identifier: MIT
 * See votes.h. */
#include "model/votes.h"

#include "core/alloc.h"
#include "core/assignment.h"
#include "nn/infer.h"

#include <assert.h>

/* ---- the run that is kept ------------------------------------------------------------ */

/* The probabilities of some rows, a block at a time on this thread. */
static void run_block(float *share, im_infer *infer, const float *prepared, size_t n,
                      im_real *strip)
{
    const size_t dim = infer->net->dim, k = infer->net->outputs;
    for (size_t i = 0; i < n; i += IM_GEMM_NR) {
        const size_t count = im_size_min(n - i, IM_GEMM_NR);
        for (size_t v = 0; v < count * dim; v++)
            strip[v] = prepared[i * dim + v];
        im_infer_put(infer, 0, i / IM_GEMM_NR, strip, count);
    }
    const im_real *p = im_infer_run(infer, 0, n);
    for (size_t v = 0; v < n * k; v++)
        share[v] = (float)p[v];
}

static imsat_status count_kept(float *share, const im_votes *v, const float *prepared,
                               size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t dim = v->net->dim;
    im_infer infer = {0};
    im_real *strip = im_alloc(dim, IM_GEMM_NR * sizeof *strip);
    if (!strip)
        return im_fail_memory(err, "the votes of the runs");
    IM_TRY(im_infer_new(&infer, v->net, im_gemm_select(false), 1, count, err));
    for (size_t i = 0; i < count; i += IM_INFER_ROWS)
        run_block(share + i * v->k, &infer, prepared + i * dim,
                  im_size_min(count - i, IM_INFER_ROWS), strip);

cleanup:
    im_infer_clear(&infer);
    im_free(strip);
    return st;
}

/* ---- the others ---------------------------------------------------------------------- */

/* Clusters of a run by those of the kept one, matched such that most rows agree. cost (k,k)
 * and names (k) are scratch and result. */
static imsat_status match(size_t *names, double *cost, const im_votes *v, size_t run,
                          imsat_error *err)
{
    const size_t rows = v->data->rows, k = v->k;
    const int32_t *ours = v->labels + v->kept * rows, *theirs = v->labels + run * rows;
    for (size_t i = 0; i < k * k; i++)
        cost[i] = 0;
    for (size_t i = 0; i < rows; i++)
        cost[(size_t)theirs[i] * k + (size_t)ours[i]]--;
    return im_assignment_solve(names, cost, k, k, err);
}

static imsat_status count_others(float *share, const im_votes *v, const size_t *places,
                                 size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t k = v->k;
    double *cost = im_alloc(k * k, sizeof *cost);
    size_t *names = im_alloc(k, sizeof *names);
    if (!cost || !names) {
        st = im_fail_memory(err, "the votes of the runs");
        goto cleanup;
    }
    for (size_t run = 0; run < v->runs; run++) {
        const int32_t *labels = v->labels + run * v->data->rows;
        if (run == v->kept)
            continue;
        IM_TRY(match(names, cost, v, run, err));
        for (size_t i = 0; i < count; i++)
            share[i * k + names[labels[places[i]]]]++;
    }
    for (size_t i = 0; i < count * k; i++)
        share[i] /= (float)v->runs;

cleanup:
    im_free(cost);
    im_free(names);
    return st;
}

/* ---- what they agree on --------------------------------------------------------------- */

/* The one that `needed` of the runs, more than half, have row i in; -1: none. names (runs,k);
 * count (k) is 0, before and after. */
static int32_t agreed_on(const im_votes *v, size_t i, const size_t *names, size_t *count,
                         size_t needed)
{
    int32_t found = -1;
    for (size_t run = 0; run < v->runs; run++) {
        const int32_t label = v->labels[run * v->data->rows + i];
        const size_t cluster = names[run * v->k + (size_t)label];
        if (++count[cluster] == needed)
            found = (int32_t)cluster;
    }
    for (size_t run = 0; run < v->runs; run++)
        count[names[run * v->k + (size_t)v->labels[run * v->data->rows + i]]] = 0;
    return found;
}

imsat_status im_votes_agree(int32_t *agreed, const im_votes *v, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t k = v->k, needed = (4 * v->runs + 4) / 5;
    double *cost = im_alloc(k * k, sizeof *cost);
    size_t *names = im_alloc(v->runs * k, sizeof *names), *count = im_alloc(k, sizeof *count);
    if (!cost || !names || !count) {
        st = im_fail_memory(err, "the votes of the runs");
        goto cleanup;
    }
    for (size_t run = 0; run < v->runs; run++)
        IM_TRY(match(names + run * k, cost, v, run, err));
    for (size_t i = 0; i < v->data->rows; i++)
        agreed[i] = agreed_on(v, i, names, count, needed);

cleanup:
    im_free(cost);
    im_free(names);
    im_free(count);
    return st;
}

/* ---- shares ----------------------------------------------------------------------------- */

imsat_status im_votes_count(float *share, const im_votes *v, const size_t *places,
                            const float *prepared, size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    assert(v->kept < v->runs && v->k == v->net->outputs);
    IM_TRY(count_kept(share, v, prepared, count, err));
    if (v->runs > 1 && v->k <= IM_VOTES_CLUSTERS)
        IM_TRY(count_others(share, v, places, count, err));

cleanup:
    return st;
}
