/* SPDX-License-Identifier: MIT
 * Descriptors of images as data: imsat_gist(); see imsat/features.h. */
#include "core/alloc.h"
#include "features/gist.h"
#include "features/origin.h"
#include "imsat/features.h"

/* Descriptors of all rows, in memory of the block. */
static imsat_status fill(im_block *block, const im_gist *gist, const imsat_data *images,
                         int threads, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_pool *pool = NULL;
    const size_t shape[] = {images->rows, im_gist_dim(gist)};
    float *values = im_alloc_unset(shape[0] * shape[1], sizeof *values);
    if (!values)
        return im_fail_memory(err, "the descriptors");
    block->dtype = IM_F32;
    block->bytes = (im_bytes){.data = (unsigned char *)values,
                              .size = shape[0] * shape[1] * sizeof *values,
                              .heap = values};
    block->base = block->bytes.data;
    IM_TRY(im_block_set_shape(block, shape, 2, "gist", err));
    IM_TRY(im_block_describe(block, err, "%s GIST (%zu, %zu) of %s",
                             gist->color ? "color" : "gray", shape[0], shape[1],
                             images->blocks[0].description));
    IM_TRY(im_pool_new(&pool, threads, err));
    for (size_t first = 0, piece = im_data_piece(images); first < images->rows;
         first += piece) {
        const size_t count = im_size_min(piece, images->rows - first);
        IM_TRY(im_gist_rows(values + first * shape[1], gist, images, first, count, pool, err));
        im_data_release(images, first, count);
    }

cleanup:
    im_pool_free(pool);
    return st;
}

imsat_status imsat_gist(imsat_data **out, const imsat_data *images, int color, int threads,
                        imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(images);
    imsat_status st = IMSAT_OK;
    im_gist gist = {0};
    im_block block = {0};
    imsat_data *data = NULL;
    IM_TRY(im_gist_new(&gist, images->image, color != 0, "gist", err));
    IM_TRY(fill(&block, &gist, images, threads, err));
    IM_TRY(im_data_new(&data, &block, err));
    IM_TRY(im_origin_labels(data, images, err));
    IM_TRY(im_origin_gist(&data->origin, images->image, color != 0, err));
    data->drop_origin = im_origin_drop;
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    im_block_clear(&block);
    im_gist_clear(&gist);
    return st;
}
