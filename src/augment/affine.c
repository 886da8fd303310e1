/* SPDX-License-Identifier: MIT
 *
 * Affine warps of images. With positions counted from the center ((w - 1) / 2, (h - 1) / 2),
 * x to the right and y down, the map is
 *
 *     p' = R H S p + shift      S = (scale_x 0; 0 scale_y)      H = (1 shear_x; shear_y 1)
 *                               R = (cos -sin; sin cos)
 *
 * so a positive angle turns the image clockwise as it is seen. The output pixel at p' takes
 * the input at p = (R H S)^-1 (p' - shift), blended from the four pixels around p; pixels
 * outside the image are zero.
 */
#include "augment/affine.h"

#include "core/elementary.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The parts of a warp: what is least and most of each, and what leaves the image as it is. */
enum { SCALE_X, SCALE_Y, SHEAR_X, SHEAR_Y, DEGREES, SHIFT_X, SHIFT_Y, PARTS };

static const struct {
    double least, most, none;
} part[PARTS] = {
    [SCALE_X] = {0.8, 1.2, 1},  [SCALE_Y] = {0.8, 1.2, 1}, [SHEAR_X] = {-0.3, 0.3, 0},
    [SHEAR_Y] = {-0.3, 0.3, 0}, [DEGREES] = {-10, 10, 0},  [SHIFT_X] = {-0.4, 0.4, 0},
    [SHIFT_Y] = {-0.4, 0.4, 0},
};

/* The determinant of R H S is scale_x scale_y (1 - shear_x shear_y); here at least
 * 0.8 * 0.8 * (1 - 0.3 * 0.3) > 0.58, so every map drawn has an inverse. */
im_affine im_affine_draw(im_rng rng, uint32_t item, imsat_image shape, imsat_warps kind)
{
    double u[2 * PARTS], p[PARTS];
    im_rng_uniforms(u, 2 * PARTS, rng, item);
    for (size_t i = 0; i < PARTS; i++)
        p[i] = kind == IMSAT_WARPS_CORNER && u[PARTS + i] < 0.5
                   ? part[i].none
                   : part[i].least + u[i] * (part[i].most - part[i].least);
    const im_affine map = im_affine_make(p[SCALE_X], p[SCALE_Y], p[SHEAR_X], p[SHEAR_Y],
                                         p[DEGREES], p[SHIFT_X], p[SHIFT_Y]);
    return kind == IMSAT_WARPS_CORNER ? im_affine_about_corner(map, shape) : map;
}

/* With the center at c from the corner, A (p + c) - c = A p + (A c - c). */
im_affine im_affine_about_corner(im_affine map, imsat_image shape)
{
    const double x = ((double)shape.width - 1) / 2, y = ((double)shape.height - 1) / 2;
    map.c += map.a * x + map.b * y - x;
    map.f += map.d * x + map.e * y - y;
    return map;
}

im_affine im_affine_make(double scale_x, double scale_y, double shear_x, double shear_y,
                         double degrees, double shift_x, double shift_y)
{
    double cosine, sine;
    im_elementary_turn(&cosine, &sine, degrees);
    /* R H S = (m n; o p) */
    const double m = (cosine - sine * shear_y) * scale_x;
    const double n = (cosine * shear_x - sine) * scale_y;
    const double o = (sine + cosine * shear_y) * scale_x;
    const double p = (sine * shear_x + cosine) * scale_y;
    const double determinant = m * p - n * o;
    assert(fabs(determinant) > 0); /* else the map has no inverse */
    im_affine inverse = {.a = p / determinant,
                         .b = -n / determinant,
                         .d = -o / determinant,
                         .e = m / determinant};
    inverse.c = -(inverse.a * shift_x + inverse.b * shift_y);
    inverse.f = -(inverse.d * shift_x + inverse.e * shift_y);
    return inverse;
}

/* Add weight times input pixel (x, y), if there is one, to out (channels). */
static void add_pixel(float *out, const float *in, imsat_image shape, ptrdiff_t x, ptrdiff_t y,
                      double weight)
{
    if (x < 0 || y < 0 || x >= (ptrdiff_t)shape.width || y >= (ptrdiff_t)shape.height)
        return;
    const float *pixel = in + ((size_t)y * shape.width + (size_t)x) * shape.channels;
    for (size_t i = 0; i < shape.channels; i++)
        out[i] += (float)weight * pixel[i];
}

/* floor(x), which without SSE 4.1 is a call. */
static ptrdiff_t whole(double x)
{
    const ptrdiff_t toward_zero = (ptrdiff_t)x;
    return toward_zero - (x < (double)toward_zero);
}

/* Add the input at (x, y), counted from the top left pixel, to out (channels). */
static void sample(float *out, const float *in, imsat_image shape, double x, double y)
{
    if (!(x > -1 && y > -1 && x < (double)shape.width && y < (double)shape.height))
        return;
    const ptrdiff_t left = whole(x), top = whole(y);
    const double right_share = x - (double)left, low_share = y - (double)top;
    add_pixel(out, in, shape, left, top, (1 - right_share) * (1 - low_share));
    add_pixel(out, in, shape, left + 1, top, right_share * (1 - low_share));
    add_pixel(out, in, shape, left, top + 1, (1 - right_share) * low_share);
    add_pixel(out, in, shape, left + 1, top + 1, right_share * low_share);
}

void im_affine_apply(float *out, const float *in, imsat_image shape, im_affine map)
{
    assert(out != in);
    const double center_x = ((double)shape.width - 1) / 2;
    const double center_y = ((double)shape.height - 1) / 2;
    memset(out, 0, shape.height * shape.width * shape.channels * sizeof *out);
    for (size_t row = 0; row < shape.height; row++) {
        for (size_t col = 0; col < shape.width; col++) {
            const double x = (double)col - center_x, y = (double)row - center_y;
            sample(out + (row * shape.width + col) * shape.channels, in, shape,
                   map.a * x + map.b * y + map.c + center_x,
                   map.d * x + map.e * y + map.f + center_y);
        }
    }
}
