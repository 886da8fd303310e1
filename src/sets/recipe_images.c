/* SPDX-License-Identifier: MIT
 * Recipes of images and of their features; see recipe.h. */
#include "core/alloc.h"
#include "data/dataset.h"
#include "imsat/features.h"
#include "sets/recipe.h"

#include <string.h>

/* ---- labels ------------------------------------------------------------------------ */

/* Give data the labels of files of their own. */
static imsat_status add_labels(imsat_data *data, const im_recipe *recipe, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    int32_t *labels = NULL;
    size_t n = 0;
    if (recipe->nlabels == 0)
        return IMSAT_OK;
    IM_TRY(imsat_labels_read(&labels, &n, recipe->labels, recipe->nlabels, err));
    if (n != data->rows) {
        im_free(labels);
        return im_fail(err, IMSAT_EMISMATCH, "%s: %zu labels%s, but %s has %zu rows%s",
                       recipe->labels[0], n,
                       recipe->nlabels > 1 ? ", with the files after it" : "", recipe->data[0],
                       data->rows, recipe->ndata > 1 ? ", with the files after it" : "");
    }
    im_free(data->labels);
    data->labels = labels;

cleanup:
    return st;
}

imsat_status im_recipe_images(imsat_data **out, const im_recipe *recipe, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    IM_TRY(imsat_data_open(&data, recipe->data, recipe->ndata, NULL, err));
    IM_TRY(add_labels(data, recipe, err));
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    return st;
}

/* ---- features in bytes -------------------------------------------------------------- */

/* Rows of other data, times a factor. */
typedef struct scaled {
    imsat_data *data; /* owned */
    float scale;
} scaled;

static imsat_status read_scaled(void *context, void *out, size_t row, size_t first,
                                size_t count, imsat_error *err)
{
    const scaled *s = context;
    const im_block *block = &s->data->blocks[0];
    float *values = out;
    const imsat_status st = im_block_read(values, block, row, first, count, err);
    for (size_t j = 0; j < count; j++)
        values[j] *= s->scale;
    return st;
}

static void release_scaled(void *context, size_t first, size_t count)
{
    const scaled *s = context;
    im_data_release(s->data, first, count);
}

static void close_scaled(void *context)
{
    scaled *s = context;
    imsat_data_free(s->data);
    im_free(s);
}

/* Replace data of one file by the same times `scale`, which is computed as rows are read. */
static imsat_status scale_rows(imsat_data **data, double scale, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data *inner = *data, *outer = NULL;
    const im_block *from = &inner->blocks[0];
    im_block block = {.kind = IM_BLOCK_SOURCE,
                      .dtype = IM_F32,
                      .rows = inner->rows,
                      .dim = inner->dim,
                      .ndim = 2,
                      .file = from->file,
                      .bytes = im_bytes_borrow(&from->bytes, 0, from->bytes.size)};
    scaled *s = im_alloc(1, sizeof *s);
    if (!s)
        return im_fail_memory(err, "features");
    IM_TRY(im_block_describe(&block, err, "%s, times %g", from->description, scale));
    *s = (scaled){inner, (float)scale};
    block.source = (im_row_source){s, read_scaled, release_scaled, close_scaled};
    IM_TRY(im_data_new(&outer, &block, err));
    outer->labels = inner->labels;
    inner->labels = NULL;
    *data = outer;
    return IMSAT_OK;

cleanup:
    im_free(block.description); /* the data is still the caller's */
    im_free(s);
    return st;
}

imsat_status im_recipe_features(imsat_data **out, const im_recipe *recipe, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    IM_TRY(im_recipe_images(&data, recipe, err));
    data->image = (imsat_image){0, 0, 0};
    if (recipe->scale > 0)
        IM_TRY(scale_rows(&data, recipe->scale, err));
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    return st;
}

/* ---- features that are computed ------------------------------------------------------ */

static imsat_status make_gist(imsat_data **out, const im_recipe *recipe, int color,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data *images = NULL;
    IM_TRY(im_recipe_images(&images, recipe, err));
    IM_TRY(imsat_gist(out, images, color, recipe->threads, err));

cleanup:
    imsat_data_free(images);
    return st;
}

imsat_status im_recipe_gist(imsat_data **out, const im_recipe *recipe, imsat_error *err)
{
    return make_gist(out, recipe, 0, err);
}

imsat_status im_recipe_svhn(imsat_data **out, const im_recipe *recipe, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = make_gist(&data, recipe, 1, err);
    if (st != IMSAT_OK)
        return st;
    for (size_t i = 0; data->labels && i < data->rows; i++)
        data->labels[i] %= 10;
    *out = data;
    return IMSAT_OK;
}
