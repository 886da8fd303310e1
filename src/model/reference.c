/* SPDX-License-Identifier: MIT
 *
 * The clusters of the training data; see reference.h. The mean square distance is that of the
 * rows' lengths less that of the mean: one pass, in double.
 */
#include "model/reference.h"

#include "core/alloc.h"
#include "data/record.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char KEY[] = "reference.clusters";

void im_reference_clear(im_reference *reference)
{
    im_free(reference->mean);
    im_free(reference->scale);
    *reference = (im_reference){0};
}

static imsat_status make(im_reference *out, size_t k, size_t dim, imsat_error *err)
{
    size_t count;
    im_reference made = {.k = k, .dim = dim};
    if (im_size_mul(&count, k, dim))
        made.mean = im_alloc(count, sizeof *made.mean);
    made.scale = im_alloc(k, sizeof *made.scale);
    if (!made.mean || !made.scale) {
        im_reference_clear(&made);
        return im_fail_memory(err, "the means of clusters");
    }
    *out = made;
    return IMSAT_OK;
}

/* ---- learning -------------------------------------------------------------------- */

/* Sums over rows. */
typedef struct sums {
    double *of;     /* (k,dim) */
    double *square; /* (k) of lengths */
    double *count;  /* (k) rows */
    double *work;   /* (dim) of preprocessing */
    float *row;     /* (dim) */
} sums;

static void add_rows(sums *s, const imsat_data *data, const im_preprocess *pre,
                     const int32_t *labels)
{
    const size_t dim = data->dim, piece = im_data_piece(data);
    for (size_t i = 0; i < data->rows; i++) {
        const size_t c = (size_t)labels[i];
        double square = 0;
        im_preprocess_read(s->row, data, i, pre, s->work);
        for (size_t j = 0; j < dim; j++) {
            const double x = (double)s->row[j];
            s->of[c * dim + j] += x;
            square += x * x;
        }
        s->square[c] += square;
        s->count[c]++;
        if ((i + 1) % piece == 0 || i + 1 == data->rows)
            im_data_release(data, i / piece * piece, i % piece + 1);
    }
}

static void finish(im_reference *out, const sums *s)
{
    const size_t dim = out->dim;
    for (size_t c = 0; c < out->k; c++) {
        const double n = s->count[c] > 0 ? s->count[c] : 1;
        double square = s->square[c] / n;
        for (size_t j = 0; j < dim; j++) {
            const double mean = s->of[c * dim + j] / n;
            out->mean[c * dim + j] = (float)mean;
            square -= mean * mean;
        }
        out->scale[c] = (float)sqrt(square > 0 ? square : 0);
    }
}

imsat_status im_reference_learn(im_reference *out, const imsat_data *data,
                                const im_preprocess *pre, const int32_t *labels, size_t k,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reference made = {0};
    sums s = {0};
    IM_TRY(make(&made, k, data->dim, err));
    s.of = im_alloc(k * data->dim, sizeof *s.of);
    s.square = im_alloc(k, sizeof *s.square);
    s.count = im_alloc(k, sizeof *s.count);
    s.work = im_alloc(data->dim, sizeof *s.work);
    s.row = im_alloc(data->dim, sizeof *s.row);
    if (!s.of || !s.square || !s.count || !s.work || !s.row) {
        st = im_fail_memory(err, "the means of clusters");
        goto cleanup;
    }
    add_rows(&s, data, pre, labels);
    finish(&made, &s);
    *out = made;
    made = (im_reference){0};

cleanup:
    im_reference_clear(&made);
    im_free(s.of);
    im_free(s.square);
    im_free(s.count);
    im_free(s.work);
    im_free(s.row);
    return st;
}

/* ---- distances ------------------------------------------------------------------- */

float im_reference_distance(const im_reference *reference, const float *row, int32_t label)
{
    const float *mean = reference->mean + (size_t)label * reference->dim;
    const double scale = (double)reference->scale[label];
    double square = 0;
    for (size_t j = 0; j < reference->dim; j++) {
        const double difference = (double)row[j] - (double)mean[j];
        square += difference * difference;
    }
    if (scale > 0)
        return (float)(sqrt(square) / scale);
    return square > 0 ? INFINITY : 0;
}

/* ---- files ----------------------------------------------------------------------- */

imsat_status im_reference_record(im_safetensors *record, const im_reference *reference,
                                 imsat_error *err)
{
    return im_record_count(record, KEY, reference->k, err);
}

imsat_status im_reference_add(im_safetensors *file, const im_reference *reference,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t shape[] = {reference->k, reference->dim};
    IM_TRY(im_safetensors_add(file, "reference.mean", IM_TENSOR_F32, reference->mean, 2, shape,
                              err));
    IM_TRY(im_safetensors_add(file, "reference.scale", IM_TENSOR_F32, reference->scale, 1,
                              shape, err));

cleanup:
    return st;
}

/* A tensor of so many values, none of which may be below `least` or not finite. */
static imsat_status load(float *to, const im_safetensors *file, const char *path,
                         const char *name, size_t dims, const size_t *shape, float least,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *found;
    const size_t count = dims == 2 ? shape[0] * shape[1] : shape[0];
    assert(to);
    IM_TRY(im_safetensors_get(&found, file, path, name, IM_TENSOR_F32, dims, shape, err));
    assert(to); /* make() has made it */
    memcpy(to, found->data, count * sizeof *to);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(to[i]) || to[i] < least)
            return im_fail(err, IMSAT_EFORMAT, "%s: element %zu of %s is %g, and must be %s",
                           path, i, name, (double)to[i], least == 0 ? "0 or more" : "finite");

cleanup:
    return st;
}

imsat_status im_reference_load(im_reference *out, const im_safetensors *file, const char *path,
                               size_t k, size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reference made = {0};
    uint64_t clusters;
    const size_t shape[] = {k, dim};
    if (!im_safetensors_value(file, KEY))
        return IMSAT_OK;
    IM_TRY(im_record_get_within(&clusters, file, path, KEY, k, k, err));
    IM_TRY(make(&made, k, dim, err));
    IM_TRY(load(made.mean, file, path, "reference.mean", 2, shape, -INFINITY, err));
    IM_TRY(load(made.scale, file, path, "reference.scale", 1, shape, 0, err));
    *out = made;
    made = (im_reference){0};

cleanup:
    im_reference_clear(&made);
    return st;
}
