/* SPDX-License-Identifier: MIT
 * The sample of the training data; see reference.h. */
#include "model/reference.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "data/record.h"
#include "data/tensor.h"
#include "linear/keep.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char ROWS_KEY[] = "reference.rows", LIMIT_KEY[] = "reference.limit";

/* t of sigma_t; rows whose distances are averaged; and one of how many may be an outlier.
 *
 * One nearest row, three, ten, and the minimum of |x - x_j| / radius_j over all were compared
 * on digits, iris, wine, breast cancer and blobs: of held-back rows each flags 0 to 2 %, and
 * of rows of uniform noise three find the most, or nearly so, on every set. */
enum { NEIGHBOR = 10, NEAREST = 3, ONE_IN = 100 };

void im_reference_clear(im_reference *reference)
{
    im_free(reference->row);
    im_free(reference->radius);
    im_free(reference->share);
    *reference = (im_reference){0};
}

static imsat_status make(im_reference *out, size_t rows, size_t dim, size_t k,
                         imsat_error *err)
{
    size_t values, shares;
    im_reference made = {.rows = rows, .dim = dim, .k = k};
    if (im_size_mul(&values, rows, dim) && im_size_mul(&shares, rows, k)) {
        made.row = im_alloc(values, sizeof *made.row);
        made.share = im_alloc(shares, sizeof *made.share);
        made.radius = im_alloc(rows, sizeof *made.radius);
    }
    if (!made.row || !made.share || !made.radius) {
        im_reference_clear(&made);
        return im_fail_memory(err, "a sample of the training data");
    }
    *out = made;
    return IMSAT_OK;
}

/* ---- the nearest kept rows ------------------------------------------------------------- */

/* How many count as near, at most: the root of the rows, but at least ten, and then at most
 * half of what a cluster has if all are alike. Five, ten, 20, 40, 80 and 160 were tried on the
 * 1,797 digits, five runs: the area under the curve of their confidence grows up to 40, and
 * hardly from there. */
static size_t near_count(const im_reference *r)
{
    assert(r->k > 0);
    const size_t half = r->rows / r->k / 2;
    size_t root = NEIGHBOR;
    while ((root + 1) * (root + 1) <= r->rows)
        root++;
    return im_size_min(root, half > 0 ? half : 1);
}

size_t im_reference_room(const im_reference *reference)
{
    return near_count(reference) + 1; /* and one that equals the row */
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* What no number says, of a row beyond the range of float, is as far as can be. */
static float distance_to(const im_reference *r, const float *row, size_t j)
{
    const double sq = im_lanes_sq_distance(row, r->row + j * r->dim, r->dim);
    return sq >= 0 ? (float)sqrt(sq) : INFINITY;
}

/* The `count` nearest kept rows in their order, equal ones by their number; copies: whether
 * those that equal the row count. Places that are not filled are at an infinite distance. */
static void find_nearest(uint64_t *nearest, size_t count, const im_reference *r,
                         const float *row, bool copies)
{
    im_keep_reset(nearest, count, im_keep_pair(INFINITY, UINT32_MAX));
    for (size_t j = 0; j < r->rows; j++) {
        const float distance = distance_to(r, row, j);
        const uint64_t key = im_keep_pair(distance, (uint32_t)j);
        if (key < nearest[0] && (copies || distance > 0))
            im_keep_replace(nearest, count, key);
    }
    qsort(nearest, count, sizeof *nearest, by_key);
}

static float ratio_of(const im_reference *r, uint64_t key)
{
    const float distance = im_keep_value(key), radius = r->radius[im_keep_row(key)];
    if (radius > 0)
        return distance / radius;
    return distance > 0 ? INFINITY : 0;
}

static float mean_ratio(const im_reference *r, const uint64_t *nearest, size_t count)
{
    const size_t n = im_size_min(count, NEAREST);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)ratio_of(r, nearest[i]);
    return (float)(sum / (double)n);
}

/* The mean of what the near rows and the network say of a label. */
static float mean_share(const im_reference *r, const uint64_t *nearest, size_t count,
                        int32_t label, float p)
{
    const float reach = 2 * im_keep_value(nearest[im_size_min(count, NEIGHBOR) - 1]);
    double sum = (double)p, votes = 1;
    for (size_t i = 0; i < count && im_keep_value(nearest[i]) <= reach; i++) {
        sum += (double)r->share[im_keep_row(nearest[i]) * r->k + (size_t)label];
        votes++;
    }
    return (float)(sum / votes);
}

im_reference_opinion im_reference_judge(const im_reference *r, const float *row, int32_t label,
                                        float p, uint64_t *nearest)
{
    const size_t count = near_count(r);
    find_nearest(nearest, count + 1, r, row, true);
    if (!(im_keep_value(nearest[0]) > 0))
        nearest++;
    const float distance = mean_ratio(r, nearest, count);
    return (im_reference_opinion){
        .distance = distance,
        .confidence =
            distance <= r->limit ? mean_share(r, nearest, count, label, p) : 1 / (float)r->k,
    };
}

/* ---- learning -------------------------------------------------------------------------- */

size_t im_reference_size(size_t rows, size_t dim)
{
    const size_t wide = IM_REFERENCE_VALUES / dim;
    const size_t most = wide < IM_REFERENCE_LEAST ? IM_REFERENCE_LEAST : wide;
    return im_size_min(rows, im_size_min(most, IM_REFERENCE_MOST));
}

/* One of each of `count` stretches of the rows, which are as long as can be alike: so the rows
 * of a sorted file are all there. */
static void draw(size_t *places, size_t count, size_t rows)
{
    const im_rng rng = {0, IM_STREAM_SAMPLE, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const size_t from = rows / count * i + im_size_min(i, rows % count);
        const size_t length = rows / count + (i < rows % count);
        double u;
        im_rng_uniforms(&u, 1, rng, (uint32_t)i);
        places[i] = from + (size_t)(u * (double)length);
    }
}

static imsat_status read_rows(im_reference *r, const im_votes *votes, const size_t *places,
                              imsat_error *err)
{
    double *work = im_alloc(r->dim, sizeof *work);
    if (!work)
        return im_fail_memory(err, "a sample of the training data");
    for (size_t i = 0; i < r->rows; i++) {
        im_preprocess_read(r->row + i * r->dim, votes->data, places[i], votes->pre, work);
        im_data_release(votes->data, places[i], 1);
    }
    im_free(work);
    return IMSAT_OK;
}

/* What the threads that compare the kept rows with each other have in common. */
typedef struct comparison {
    im_reference *reference;
    uint64_t *nearest; /* (threads, room) */
    size_t room;
    float *distance; /* (rows) */
} comparison;

static void find_radius(void *context, size_t j, int thread)
{
    const comparison *c = context;
    im_reference *r = c->reference;
    uint64_t *nearest = c->nearest + (size_t)thread * c->room;
    size_t found = im_size_min(near_count(r), NEIGHBOR);
    find_nearest(nearest, found, r, r->row + j * r->dim, false);
    while (found > 0 && isinf(im_keep_value(nearest[found - 1])))
        found--;
    r->radius[j] = found > 0 ? im_keep_value(nearest[found - 1]) : 0;
}

static void find_distance(void *context, size_t j, int thread)
{
    const comparison *c = context;
    const im_reference *r = c->reference;
    c->distance[j] =
        im_reference_judge(r, r->row + j * r->dim, 0, 0, c->nearest + (size_t)thread * c->room)
            .distance;
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static imsat_status compare(im_reference *r, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    comparison c = {.reference = r, .room = im_reference_room(r)};
    c.nearest = im_alloc((size_t)im_pool_threads(pool), c.room * sizeof *c.nearest);
    c.distance = im_alloc(r->rows, sizeof *c.distance);
    if (!c.nearest || !c.distance) {
        st = im_fail_memory(err, "distances within the training data");
        goto cleanup;
    }
    im_pool_run(pool, find_radius, &c, r->rows);
    im_pool_run(pool, find_distance, &c, r->rows);
    qsort(c.distance, r->rows, sizeof *c.distance, by_value);
    r->limit = c.distance[r->rows - 1 - r->rows / ONE_IN];
    if (isinf(r->limit))
        r->limit = FLT_MAX;

cleanup:
    im_free(c.nearest);
    im_free(c.distance);
    return st;
}

imsat_status im_reference_learn(im_reference *out, const im_votes *votes, im_pool *pool,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_data *data = votes->data;
    const size_t rows = im_reference_size(data->rows, data->dim);
    im_reference made = {0};
    size_t *places = im_alloc(rows, sizeof *places);
    assert(data->rows > 1);
    if (!places)
        return im_fail_memory(err, "a sample of the training data");
    IM_TRY(make(&made, rows, data->dim, votes->k, err));
    draw(places, rows, data->rows);
    IM_TRY(read_rows(&made, votes, places, err));
    IM_TRY(im_votes_count(made.share, votes, places, made.row, rows, err));
    IM_TRY(compare(&made, pool, err));
    *out = made;
    made = (im_reference){0};

cleanup:
    im_reference_clear(&made);
    im_free(places);
    return st;
}

/* ---- files ------------------------------------------------------------------------------ */

imsat_status im_reference_record(im_safetensors *record, const im_reference *reference,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_record_count(record, ROWS_KEY, reference->rows, err));
    IM_TRY(im_record_number(record, LIMIT_KEY, (double)reference->limit, err));

cleanup:
    return st;
}

/* The tensors, and what their values may be: one list for saving and loading. */
typedef struct array {
    const char *name;
    float *data;
    size_t dims, shape[2];
    double least, most;
} array;

enum { ARRAYS = 3 };

static void list_arrays(array list[ARRAYS], const im_reference *r)
{
    list[0] = (array){"reference.row", r->row, 2, {r->rows, r->dim}, -HUGE_VAL, HUGE_VAL};
    list[1] = (array){"reference.radius", r->radius, 1, {r->rows, 1}, 0, HUGE_VAL};
    list[2] = (array){"reference.share", r->share, 2, {r->rows, r->k}, 0, 1};
}

imsat_status im_reference_add(im_safetensors *file, const im_reference *reference,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    array list[ARRAYS];
    list_arrays(list, reference);
    for (size_t i = 0; i < ARRAYS; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, IM_TENSOR_F32, list[i].data,
                                  list[i].dims, list[i].shape, err));

cleanup:
    return st;
}

/* Find the tensors and check what they hold, before memory is taken for them. */
static imsat_status find_arrays(const im_tensor *found[ARRAYS], const im_reference *shape,
                                const im_safetensors *file, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    array list[ARRAYS];
    list_arrays(list, shape);
    for (size_t i = 0; i < ARRAYS; i++) {
        IM_TRY(im_safetensors_get(&found[i], file, path, list[i].name, IM_TENSOR_F32,
                                  list[i].dims, list[i].shape, err));
        IM_TRY(im_tensor_check(found[i], path, list[i].least, list[i].most, err));
    }

cleanup:
    return st;
}

static imsat_status load_numbers(im_reference *out, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t rows;
    double limit;
    IM_TRY(im_record_get_within(&rows, file, path, ROWS_KEY, 2, IM_REFERENCE_MOST, err));
    IM_TRY(im_record_get_finite(&limit, file, path, LIMIT_KEY, 0, err));
    if (limit > (double)FLT_MAX)
        return im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is %g, and must be a float", path,
                       LIMIT_KEY, limit);
    out->rows = (size_t)rows;
    out->limit = (float)limit;

cleanup:
    return st;
}

/* Models of before have the means of clusters instead, and are read without them. */
imsat_status im_reference_load(im_reference *out, const im_safetensors *file, const char *path,
                               size_t k, size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reference made = {0}, shape = {.dim = dim, .k = k};
    const im_tensor *found[ARRAYS];
    array list[ARRAYS];
    if (!im_safetensors_value(file, ROWS_KEY))
        return IMSAT_OK;
    IM_TRY(load_numbers(&shape, file, path, err));
    IM_TRY(find_arrays(found, &shape, file, path, err));
    IM_TRY(make(&made, shape.rows, dim, k, err));
    made.limit = shape.limit;
    list_arrays(list, &made);
    for (size_t i = 0; i < ARRAYS; i++) {
        assert(list[i].data); /* make() has made it */
        memcpy(list[i].data, found[i]->data,
               list[i].shape[0] * list[i].shape[1] * sizeof *list[i].data);
    }
    *out = made;

cleanup:
    return st;
}
