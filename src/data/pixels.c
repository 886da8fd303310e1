/* SPDX-License-Identifier: MIT
 * Images in another order; see pixels.h. */
#include "data/pixels.h"

#include "core/alloc.h"

enum { SMALL = 1 << 15 }; /* bytes of an image that need no memory of their own */

typedef struct pixels {
    im_bytes bytes; /* those of the block, to release some of them */
    const unsigned char *base;
    size_t row_stride, size; /* from one image to the next; bytes of one */
    imsat_image image;
    im_pixels_order order;
    im_dtype dtype;
    bool swapped;
} pixels;

/* out (count) = values `first` .. of the image at `at`. The channels of a pixel are a run. */
static void gather(unsigned char *out, const pixels *p, const unsigned char *at, size_t first,
                   size_t count)
{
    const size_t size = im_dtype_size(p->dtype), channels = p->image.channels;
    for (size_t j = first, run; j < first + count; j += run, out += run * size) {
        const size_t pixel = j / channels, channel = j % channels;
        const size_t y = pixel / p->image.width, x = pixel % p->image.width;
        run = im_size_min(channels - channel, first + count - j);
        const im_elements elements = {.base = at + y * p->order.down + x * p->order.right +
                                              channel * p->order.channel,
                                      .stride = p->order.channel,
                                      .count = run,
                                      .dtype = p->dtype,
                                      .swapped = p->swapped};
        im_elements_raw(out, &elements);
    }
}

static imsat_status read_pixels(void *context, void *out, size_t row, size_t first,
                                size_t count, imsat_error *err)
{
    const pixels *p = context;
    unsigned char room[SMALL];
    void *larger = p->size > SMALL ? im_alloc_unset(p->size, 1) : NULL;
    if (p->size > SMALL && !larger)
        return im_fail_memory(err, "an image");
    gather(out, p,
           im_bytes_get(&p->bytes, p->base + row * p->row_stride, p->size,
                        larger ? larger : room),
           first, count);
    im_free(larger);
    return IMSAT_OK;
}

static void release_images(void *context, size_t first, size_t count)
{
    const pixels *p = context;
    const size_t start = (size_t)(p->base - p->bytes.data) + first * p->row_stride;
    im_bytes_release(&p->bytes, start, start + count * p->row_stride);
}

imsat_status im_pixels_set(im_block *block, im_pixels_order order, const char *path,
                           imsat_error *err)
{
    pixels *p = im_alloc(1, sizeof *p);
    if (!p)
        return im_fail_memory(err, path);
    *p = (pixels){.bytes = im_bytes_borrow(&block->bytes, 0, block->bytes.size),
                  .base = block->base,
                  .row_stride = block->row_stride,
                  .size = block->dim * im_dtype_size(block->dtype),
                  .image = block->image,
                  .order = order,
                  .dtype = block->dtype,
                  .swapped = block->swapped};
    block->swapped = false; /* as a source gives its elements */
    block->kind = IM_BLOCK_SOURCE;
    block->source = (im_row_source){p, read_pixels, release_images, im_free};
    return IMSAT_OK;
}
