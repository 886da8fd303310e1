/* SPDX-License-Identifier: MIT
 *
 * Pixels, whatever file they came from; see image.h and image_codec.h.
 */
#include "core/alloc.h"
#include "data/image_codec.h"

#include <assert.h>

imsat_status im_image_check(size_t height, size_t width, const char *path, imsat_error *err)
{
    if (height == 0 || width == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: an image of %zu x %zu pixels, which are none",
                       path, height, width);
    if (height > IM_IMAGE_MAX_SIDE || width > IM_IMAGE_MAX_SIDE ||
        height > IM_IMAGE_MAX_PIXELS / width)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: an image of %zu x %zu pixels; imsat reads at most %d, and %d in a "
                       "row or column: make it smaller",
                       path, height, width, IM_IMAGE_MAX_PIXELS, IM_IMAGE_MAX_SIDE);
    return IMSAT_OK;
}

imsat_status im_image_check_file(size_t height, size_t width, size_t bytes, const char *path,
                                 imsat_error *err)
{
    const imsat_status st = im_image_check(height, width, path, err);
    if (st != IMSAT_OK)
        return st;
    const size_t pixels = height * width;
    if (pixels <= IM_IMAGE_FREE_PIXELS ||
        (pixels - IM_IMAGE_FREE_PIXELS) / IM_IMAGE_PIXELS_A_BYTE < bytes)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: an image of %zu x %zu pixels in %zu bytes, which hold almost nothing: "
                   "it is damaged or blank; make it smaller",
                   path, height, width, bytes);
}

imsat_status im_image_new(im_image *out, size_t height, size_t width, size_t channels,
                          const char *path, imsat_error *err)
{
    assert(channels >= 1 && channels <= 4);
    const imsat_status st = im_image_check(height, width, path, err);
    if (st != IMSAT_OK)
        return st;
    unsigned char *pixels = im_alloc_unset(height * width, channels);
    if (!pixels)
        return im_fail_memory(err, path);
    *out = (im_image){height, width, channels, pixels};
    return IMSAT_OK;
}

void im_image_clear(im_image *image)
{
    im_free(image->pixels);
    *image = (im_image){0};
}

/* x / 255, rounded; there are no halves. */
static unsigned char divide_255(unsigned x)
{
    return (unsigned char)((x + 127) / 255);
}

void im_image_flatten(im_image *image)
{
    if (image->channels % 2)
        return;
    const size_t n = image->height * image->width, colors = image->channels - 1;
    const unsigned char *from = image->pixels;
    unsigned char *to = image->pixels; /* never ahead of `from` */
    for (size_t i = 0; i < n; i++, from += colors + 1) {
        const unsigned opacity = from[colors];
        for (size_t c = 0; c < colors; c++)
            *to++ = divide_255(from[c] * opacity + 255 * (255 - opacity));
    }
    image->channels = colors;
}

/* Pillow's integers for .299, .587 and .114, times 2^16. */
static unsigned char luma(const unsigned char *rgb)
{
    return (unsigned char)((rgb[0] * 19595U + rgb[1] * 38470U + rgb[2] * 7471U + 0x8000) >>
                           16);
}

imsat_status im_image_convert(im_image *image, size_t channels, imsat_error *err)
{
    assert(channels == 1 || channels == 3);
    const size_t n = image->height * image->width;
    if (image->channels == channels)
        return IMSAT_OK;
    if (channels == 1) {
        for (size_t i = 0; i < n; i++)
            image->pixels[i] = luma(image->pixels + 3 * i);
    } else {
        unsigned char *color = im_alloc_unset(n, 3);
        if (!color)
            return im_fail_memory(err, "an image in color");
        for (size_t i = 0; i < 3 * n; i++)
            color[i] = image->pixels[i / 3];
        im_free(image->pixels);
        image->pixels = color;
    }
    image->channels = channels;
    return IMSAT_OK;
}

/* The orientations are all that can be made of three steps: the picture's rows and columns are
 * exchanged (5 to 8), then it is mirrored left to right (2, 3, 6, 7), then top to bottom (3,
 * 4, 7, 8). Here each pixel of the result is looked up. */
imsat_status im_image_orient(im_image *image, unsigned orientation, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_image turned = {0};
    if (orientation < 2 || orientation > 8)
        return IMSAT_OK;
    const bool exchange = orientation >= 5;
    const bool mirror =
        orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    const bool flip = orientation == 3 || orientation == 4 || orientation >= 7;
    const size_t height = exchange ? image->width : image->height;
    const size_t width = exchange ? image->height : image->width, size = image->channels;
    IM_TRY(im_image_new(&turned, height, width, size, path, err));
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t row = flip ? height - 1 - y : y, column = mirror ? width - 1 - x : x;
            const size_t from =
                exchange ? column * image->width + row : row * image->width + column;
            for (size_t c = 0; c < size; c++)
                turned.pixels[(y * width + x) * size + c] = image->pixels[from * size + c];
        }
    im_image_clear(image);
    *image = turned;

cleanup:
    return st;
}
