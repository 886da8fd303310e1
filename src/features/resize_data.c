/* SPDX-License-Identifier: MIT
 * Images in another size, as data: imsat_resize(); see imsat/features.h. */
#include "core/alloc.h"
#include "data/image.h"
#include "data/pictures.h"
#include "features/origin.h"
#include "imsat/features.h"

imsat_status imsat_pictures_are(int *are, const char *path, imsat_error *err)
{
    IM_REQUIRE(are);
    IM_REQUIRE_PATH(path);
    bool pictures = false;
    const imsat_status st = im_pictures_are(&pictures, path, err);
    if (st == IMSAT_OK)
        *are = pictures;
    return st;
}

static imsat_status check(const imsat_data *images, imsat_image shape, imsat_error *err)
{
    const imsat_image from = images->image;
    if (!from.height || (from.channels != 1 && from.channels != 3))
        return im_fail(
            err, IMSAT_EINVAL,
            "resize: the rows are %s; only images of 1 or 3 channels can be resized",
            from.height ? "images of other channels" : "not known to be images");
    if (!shape.height || !shape.width || shape.height > IM_IMAGE_MAX_SIDE ||
        shape.width > IM_IMAGE_MAX_PIXELS / shape.height ||
        (shape.channels != 1 && shape.channels != 3))
        return im_fail(err, IMSAT_EINVAL,
                       "resize: images cannot be made %zu x %zu pixels of %zu channels: 1 "
                       "channel (gray) or 3 (color), and 1 to %d pixels",
                       shape.height, shape.width, shape.channels, IM_IMAGE_MAX_PIXELS);
    return IMSAT_OK;
}

/* A row as a picture. values: (dim) scratch. */
static imsat_status load(im_image *image, const imsat_data *images, size_t row, float *values,
                         imsat_error *err)
{
    const imsat_image from = images->image;
    unsigned char *pixels = im_alloc(images->dim, 1);
    if (!pixels)
        return im_fail_memory(err, "an image");
    *image = (im_image){from.height, from.width, from.channels, pixels};
    im_data_row(values, images, row);
    for (size_t j = 0; j < images->dim; j++) {
        const bool inside = values[j] >= 0 && values[j] <= 255;
        pixels[j] = inside ? (unsigned char)values[j] : 0;
        if (!inside || (float)pixels[j] != values[j])
            return im_fail(err, IMSAT_EINVAL,
                           "resize: row %zu, column %zu (both from 0) is %g; pixels are whole "
                           "numbers from 0 to 255",
                           row, j, (double)values[j]);
    }
    return IMSAT_OK;
}

static imsat_status resize_row(unsigned char *out, const imsat_data *images, size_t row,
                               imsat_image shape, float *values, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_image image = {0}, other = {0};
    IM_TRY(load(&image, images, row, values, err));
    IM_TRY(im_image_convert(&image, shape.channels, err));
    IM_TRY(im_image_resize(&other, &image, shape.height, shape.width, err));
    memcpy(out, other.pixels, shape.height * shape.width * shape.channels);

cleanup:
    im_image_clear(&image);
    im_image_clear(&other);
    return st;
}

/* All rows, in memory of the block. */
static imsat_status fill(im_block *block, const imsat_data *images, imsat_image shape,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t dims[] = {images->rows, shape.height, shape.width, shape.channels};
    float *values = im_alloc(images->dim, sizeof *values);
    block->dtype = IM_U8;
    IM_TRY(im_block_set_shape(block, dims, shape.channels == 1 ? 3 : 4, "resize", err));
    unsigned char *pixels = im_alloc_unset(images->rows, block->dim);
    block->bytes =
        (im_bytes){.data = pixels, .size = images->rows * block->dim, .heap = pixels};
    block->base = pixels;
    if (!values || !pixels) {
        st = im_fail_memory(err, "the images");
        goto cleanup;
    }
    IM_TRY(im_block_describe(block, err, "uint8 (%zu, %zu, %zu, %zu), resized from %s",
                             dims[0], dims[1], dims[2], dims[3],
                             images->blocks[0].description));
    for (size_t i = 0; i < images->rows; i++)
        IM_TRY(resize_row(pixels + i * block->dim, images, i, shape, values, err));

cleanup:
    im_free(values);
    return st;
}

imsat_status imsat_resize(imsat_data **out, const imsat_data *images, imsat_image shape,
                          imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(images);
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    imsat_data *data = NULL;
    IM_TRY(check(images, shape, err));
    IM_TRY(fill(&block, images, shape, err));
    IM_TRY(im_data_new(&data, &block, err));
    IM_TRY(im_origin_labels(data, images, err));
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    im_block_clear(&block);
    return st;
}
