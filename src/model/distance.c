/* SPDX-License-Identifier: MIT
 * How far rows are from the training data, by what the model remembers of it (reference.h). */
#include "core/alloc.h"
#include "model/model.h"

int imsat_model_has_distance(const imsat_model *model)
{
    return model && model->reference.k > 0;
}

static imsat_status check(const imsat_model *model, const imsat_data *data, size_t first,
                          size_t count, imsat_error *err)
{
    if (!model->reference.k)
        return im_fail(err, IMSAT_EINVAL,
                       "the model does not know how far rows are from its training data: it "
                       "%s",
                       model->net.sigmoid ? "makes codes"
                                          : "is of a version before; train it again");
    if (data->dim != model->net.dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the data has %zu columns, but the model was trained on %zu", data->dim,
                       model->net.dim);
    if (first > data->rows || count > data->rows - first)
        return im_fail(err, IMSAT_EINVAL,
                       "rows: %zu from row %zu on are asked for; the data has %zu", count,
                       first, data->rows);
    return IMSAT_OK;
}

static imsat_status check_label(int32_t label, const imsat_model *model, size_t row,
                                imsat_error *err)
{
    if (label >= 0 && (size_t)label < model->reference.k)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL, "label %ld of row %zu is not a cluster of the model",
                   (long)label, row);
}

imsat_status imsat_distance(float *distance, const imsat_model *model, const imsat_data *data,
                            size_t first, size_t count, const int32_t *labels,
                            imsat_error *err)
{
    IM_REQUIRE_ARRAY(distance, count);
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    IM_REQUIRE_ARRAY(labels, count);
    imsat_status st = check(model, data, first, count, err);
    if (st != IMSAT_OK)
        return st;
    float *row = im_alloc(data->dim, sizeof *row);
    double *work = im_alloc(data->dim, sizeof *work);
    if (!row || !work)
        st = im_fail_memory(err, "distances");
    for (size_t i = 0; i < count && st == IMSAT_OK; i++) {
        st = check_label(labels[i], model, first + i, err);
        if (st != IMSAT_OK)
            break;
        im_preprocess_read(row, data, first + i, &model->pre, work);
        distance[i] = im_reference_distance(&model->reference, row, labels[i]);
    }
    im_free(row);
    im_free(work);
    return im_data_check(data, first, count, st, err);
}
