/* SPDX-License-Identifier: MIT
 *
 * How far the labels of rows are to be trusted, and how far the rows are from the training
 * data, by what the model remembers of it (reference.h). Rows are judged each by itself, some
 * by one task.
 */
#include "core/alloc.h"
#include "core/flush.h"
#include "model/model.h"

#include <math.h>

enum { ROWS = 16 }; /* of a task */

int imsat_model_has_confidence(const imsat_model *model)
{
    return model && model->reference.rows > 0;
}

double imsat_model_outlier_distance(const imsat_model *model)
{
    return imsat_model_has_confidence(model) ? (double)model->reference.limit
                                             : (double)INFINITY;
}

/* What is asked, and the scratch of each thread. */
typedef struct question {
    const imsat_model *model;
    const imsat_data *data;
    size_t first, count;
    const int32_t *labels;
    const float *proba;
    float *confidence, *distance;
    float *row;        /* (threads,dim) */
    double *work;      /* (threads,dim) of preprocessing */
    uint64_t *nearest; /* (threads,room) */
} question;

static imsat_status check_model(const imsat_model *model, imsat_error *err)
{
    if (model->net.sigmoid)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the model makes codes of %zu bits and has no clusters to be sure of",
                       model->net.outputs);
    if (!imsat_model_has_confidence(model))
        return im_fail(err, IMSAT_EMISMATCH,
                       "the model keeps none of its training data to compare rows with: it is "
                       "of a version before; train it again");
    return IMSAT_OK;
}

static imsat_status check(const question *q, imsat_error *err)
{
    const size_t rows = q->data->rows, k = q->model->reference.k;
    if (q->data->dim != q->model->net.dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the data has %zu columns, but the model was trained on %zu",
                       q->data->dim, q->model->net.dim);
    if (q->first > rows || q->count > rows - q->first)
        return im_fail(err, IMSAT_EINVAL,
                       "rows: %zu from row %zu on are asked for; the data has %zu", q->count,
                       q->first, rows);
    for (size_t i = 0; i < q->count; i++)
        if (q->labels[i] < 0 || (size_t)q->labels[i] >= k)
            return im_fail(err, IMSAT_EINVAL,
                           "label %ld of row %zu is not a cluster of the model",
                           (long)q->labels[i], q->first + i);
    return IMSAT_OK;
}

static void judge_rows(void *context, size_t task, int thread)
{
    const question *q = context;
    const im_reference *r = &q->model->reference;
    float *row = q->row + (size_t)thread * r->dim;
    double *work = q->work + (size_t)thread * r->dim;
    uint64_t *nearest = q->nearest + (size_t)thread * im_reference_room(r);
    const size_t end = im_size_min((task + 1) * ROWS, q->count);
    for (size_t i = task * ROWS; i < end; i++) {
        const int32_t label = q->labels[i];
        im_preprocess_read(row, q->data, q->first + i, &q->model->pre, work);
        const im_reference_opinion opinion =
            im_reference_judge(r, row, label, q->proba[i * r->k + (size_t)label], nearest);
        q->confidence[i] = opinion.confidence;
        q->distance[i] = opinion.distance;
    }
}

static imsat_status judge(question *q, int threads, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_reference *r = &q->model->reference;
    const size_t tasks = (q->count + ROWS - 1) / ROWS;
    im_pool *pool = NULL;
    IM_TRY(im_pool_cache_take(im_model_pools(q->model), &pool, threads, err));
    const size_t most = (size_t)im_pool_threads_of(pool, tasks);
    q->row = im_alloc(most, r->dim * sizeof *q->row);
    q->work = im_alloc(most, r->dim * sizeof *q->work);
    q->nearest = im_alloc(most, im_reference_room(r) * sizeof *q->nearest);
    if (q->row && q->work && q->nearest)
        im_pool_run(pool, judge_rows, q, tasks);
    else
        st = im_fail_memory(err, "the confidence of rows");

cleanup:
    im_free(q->row);
    im_free(q->work);
    im_free(q->nearest);
    im_pool_cache_put(im_model_pools(q->model), pool);
    return st;
}

imsat_status imsat_confidence(float *confidence, float *distance, const imsat_model *model,
                              const imsat_data *data, size_t first, size_t count,
                              const int32_t *labels, const float *proba, int threads,
                              imsat_error *err)
{
    IM_REQUIRE_ARRAY(confidence, count);
    IM_REQUIRE_ARRAY(distance, count);
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    IM_REQUIRE_ARRAY(labels, count);
    IM_REQUIRE_ARRAY(proba, count);
    imsat_status st = IMSAT_OK;
    question q = {.model = model,
                  .data = data,
                  .first = first,
                  .count = count,
                  .labels = labels,
                  .proba = proba,
                  .confidence = confidence,
                  .distance = distance};
    IM_TRY(check_model(model, err));
    IM_TRY(check(&q, err));
    const im_flush before = im_flush_begin();
    st = judge(&q, threads, err);
    im_flush_end(before);
    st = im_data_check(data, first, count, st, err);

cleanup:
    return st;
}
