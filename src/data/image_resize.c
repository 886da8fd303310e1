/* SPDX-License-Identifier: MIT
 *
 * Another size of a picture; see image.h. Columns first, then rows, by the same weights w of a
 * triangle, in integers:
 *
 *     scale s = old / new,  width f = max(s, 1),  center c_i = (i + 1/2) s
 *     out_i = sum_j w((j + 1/2 - c_i) / f) in_j / sum_j w(...)        w(t) = max(0, 1 - |t|)
 *
 * On the way down each old pixel counts as it overlaps; on the way up this is linear
 * interpolation. A box, the mean over an area, is sharper by a little on the way down, but on
 * the way up it only repeats pixels; a bicubic filter overshoots at edges. The arithmetic is
 * that of Pillow's BILINEAR, which most programs that prepare pictures for learning use, so
 * that theirs and ours are equal: weights of 22 bits, rounded to 8 bits after the columns and
 * after the rows.
 */
#include "core/alloc.h"
#include "data/image_codec.h"

#include <math.h>
#include <stdint.h>

enum { WEIGHT_BITS = 32 - 8 - 2 }; /* a sum of weights times 255 fits into 32 bits */

/* For each of `count` new pixels: the first old one that it has a part of, how many, and their
 * weights. */
typedef struct plan {
    size_t count, room;   /* room: of weights for a pixel */
    size_t *first, *many; /* (count) */
    int32_t *weights;     /* (count, room) */
} plan;

static void clear_plan(plan *p)
{
    im_free(p->first);
    im_free(p->many);
    im_free(p->weights);
    *p = (plan){0};
}

/* The weights of one new pixel at `center`, of old pixels from `first` on. */
static void weigh(int32_t *weights, double *share, size_t first, size_t many, double center,
                  double width)
{
    double sum = 0;
    for (size_t j = 0; j < many; j++) {
        const double t = fabs(((double)(j + first) - center + 0.5) * (1.0 / width));
        share[j] = t < 1 ? 1 - t : 0;
        sum += share[j];
    }
    for (size_t j = 0; j < many; j++)
        weights[j] = (int32_t)(0.5 + share[j] / sum * (1 << WEIGHT_BITS));
}

static imsat_status make_plan(plan *out, size_t old, size_t count, imsat_error *err)
{
    const double scale = (double)old / (double)count, width = scale < 1 ? 1 : scale;
    plan p = {.count = count, .room = 2 * (size_t)ceil(width) + 1};
    size_t weights;
    double *share = im_alloc(p.room, sizeof *share);
    p.first = im_alloc(count, sizeof *p.first);
    p.many = im_alloc(count, sizeof *p.many);
    if (im_size_mul(&weights, count, p.room))
        p.weights = im_alloc(weights, sizeof *p.weights);
    if (!share || !p.first || !p.many || !p.weights) {
        im_free(share);
        clear_plan(&p);
        return im_fail_memory(err, "the weights of another image size");
    }
    for (size_t i = 0; i < count; i++) {
        const double center = ((double)i + 0.5) * scale;
        const double low = center - width + 0.5, high = center + width + 0.5;
        p.first[i] = low > 0 ? (size_t)low : 0;
        p.many[i] = im_size_min((size_t)high, old) - p.first[i];
        weigh(p.weights + i * p.room, share, p.first[i], p.many[i], center, width);
    }
    im_free(share);
    *out = p;
    return IMSAT_OK;
}

/* New pixel i of a line of old ones, of which the next is `step` bytes away. */
static unsigned char sum_up(const plan *p, size_t i, const unsigned char *line, size_t step)
{
    const int32_t *weights = p->weights + i * p->room;
    int32_t sum = 1 << (WEIGHT_BITS - 1);
    line += p->first[i] * step;
    for (size_t j = 0; j < p->many[i]; j++)
        sum += line[j * step] * weights[j];
    sum >>= WEIGHT_BITS;
    return (unsigned char)(sum > 255 ? 255 : sum); /* weights may add up to more than 1 */
}

static void resize_columns(im_image *out, const im_image *in, const plan *p)
{
    const size_t channels = in->channels;
    unsigned char *to = out->pixels;
    for (size_t y = 0; y < in->height; y++)
        for (size_t i = 0; i < p->count; i++)
            for (size_t c = 0; c < channels; c++)
                *to++ = sum_up(p, i, in->pixels + y * in->width * channels + c, channels);
}

static void resize_rows(im_image *out, const im_image *in, const plan *p)
{
    const size_t stride = in->width * in->channels;
    unsigned char *to = out->pixels;
    for (size_t i = 0; i < p->count; i++)
        for (size_t x = 0; x < stride; x++)
            *to++ = sum_up(p, i, in->pixels + x, stride);
}

/* In one direction: the width, or else the height. */
static imsat_status resize_side(im_image *out, const im_image *in, size_t count, bool columns,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    plan p = {0};
    im_image image = {0};
    IM_TRY(im_image_new(&image, columns ? in->height : count, columns ? count : in->width,
                        in->channels, "an image of another size", err));
    IM_TRY(make_plan(&p, columns ? in->width : in->height, count, err));
    if (columns)
        resize_columns(&image, in, &p);
    else
        resize_rows(&image, in, &p);
    *out = image;
    image = (im_image){0};

cleanup:
    clear_plan(&p);
    im_image_clear(&image);
    return st;
}

imsat_status im_image_resize(im_image *out, const im_image *image, size_t height, size_t width,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_image wide = {0}, whole = {0};
    IM_TRY(resize_side(&wide, image, width, true, err));
    IM_TRY(resize_side(&whole, &wide, height, false, err));
    im_image_clear(out);
    *out = whole;

cleanup:
    im_image_clear(&wide);
    return st;
}
