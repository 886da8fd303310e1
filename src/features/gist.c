/* SPDX-License-Identifier: MIT
 *
 * GIST; see gist.h. With F the Fourier transform, frequencies f = (fx, fy) counted in waves
 * per image, and symmetric mirroring at the borders:
 *
 *     whitening      y = log(1 + x),  L(f) = exp(-|f|^2 log(2) / 4^2)
 *                    w = y - F^-1(L F(y))
 *                    of a square that holds the image with 5 mirrored pixels around it
 *     contrast       z = w / (0.2 + sqrt(F^-1(L F(m^2)))),  m: the mean of w over channels
 *     filter s, o    G(f) = exp(-3.5 (|f| / (width 0.3 / 1.85^s) - 1)^2 - 2 pi (n_s/8)^2 t^2)
 *                    t: the angle of f plus o pi / n_s, between -pi and pi
 *     value          the mean of |F^-1(G F(z))| over a block
 *
 * n_s is the number of orientations at scale s, and F(z) is of the image with its margins.
 */
#include "features/gist.h"

#include "core/alloc.h"
#include "core/elementary.h"

#include <math.h>
#include <stdatomic.h>

enum { BLOCKS = 4, BORDER = 5, GRAY_MARGIN = 32, CUTOFF = 4 };

#define PI 3.14159265358979323846

/* Orientations at each scale, from the finest on; 0 ends them. */
static const size_t gray_scales[] = {8, 8, 8, 8, 0}, color_scales[] = {8, 8, 4, 0};

/* ---- what is the same for all images ------------------------------------------------- */

/* The frequency that element i of n of a transform stands for. */
static double frequency(size_t i, size_t n)
{
    return i < (n + 1) / 2 ? (double)i : (double)i - (double)n;
}

static void fill_lowpass(im_gist *gist)
{
    const size_t n = gist->side;
    const double decay = im_elementary_log(2) / (CUTOFF * CUTOFF), scale = 1 / (double)(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double fy = frequency(i, n), fx = frequency(j, n);
            gist->lowpass[i * n + j] = scale * im_elementary_exp(-(fx * fx + fy * fy) * decay);
        }
}

/* The filter of one scale, whose frequency is `center` waves per image, and one of
 * `orientations`. */
static void fill_filter(double *filter, const im_gist *gist, double center,
                        size_t orientations, size_t orientation)
{
    const size_t height = gist->height, width = gist->width;
    const double n = (double)orientations, narrow = 2 * PI * (n / 8) * (n / 8);
    const double scale = 1 / (double)(height * width);
    for (size_t i = 0; i < height; i++)
        for (size_t j = 0; j < width; j++) {
            const double fy = frequency(i, height), fx = frequency(j, width);
            const double off = sqrt(fx * fx + fy * fy) / center - 1;
            double angle = atan2(fy, fx) + PI * (double)orientation / n;
            angle -= angle > PI ? 2 * PI : 0;
            filter[i * width + j] =
                scale * im_elementary_exp(-3.5 * off * off - narrow * angle * angle);
        }
}

static void fill_gabor(im_gist *gist, const size_t *scales)
{
    double *filter = gist->gabor, center = 0.3 * (double)gist->width;
    for (size_t s = 0; scales[s]; s++, center /= 1.85)
        for (size_t o = 0; o < scales[s]; o++, filter += gist->height * gist->width)
            fill_filter(filter, gist, center, scales[s], o);
}

static imsat_status check(imsat_image image, bool color, const char *subject, imsat_error *err)
{
    const size_t least = im_size_min(image.height, image.width);
    if (least == 0)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: GIST is of images, and these rows are not known to be some; say "
                       "their size, as in --image 32x32x3",
                       subject);
    if (least < IM_GIST_LEAST_SIDE || image.height > IM_GIST_MOST_SIDE ||
        image.width > IM_GIST_MOST_SIDE)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: images of %zu x %zu pixels; GIST is of sides from %d to %d, so "
                       "resize them",
                       subject, image.height, image.width, IM_GIST_LEAST_SIDE,
                       IM_GIST_MOST_SIDE);
    if (image.channels != 3 && (color || image.channels != 1))
        return im_fail(err, IMSAT_EINVAL,
                       "%s: images of %zu channels; %s GIST is of images of %s", subject,
                       image.channels, color ? "color" : "gray", color ? "3" : "1 or 3");
    return IMSAT_OK;
}

/* Sizes, from image and kind. */
static void set_sizes(im_gist *gist, const size_t *scales)
{
    const imsat_image image = gist->image;
    gist->channels = gist->color ? 3 : 1;
    gist->margin = gist->color ? 0 : GRAY_MARGIN;
    gist->height = image.height + 2 * gist->margin;
    gist->width = image.width + 2 * gist->margin;
    gist->side = (image.height > image.width ? image.height : image.width) + 2 * BORDER;
    gist->side += gist->side % 2;
    for (size_t s = 0; scales[s]; s++)
        gist->filters += scales[s];
}

imsat_status im_gist_new(im_gist *out, imsat_image image, bool color, const char *subject,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t *scales = color ? color_scales : gray_scales;
    im_gist gist = {.image = image, .color = color};
    IM_TRY(check(image, color, subject, err));
    set_sizes(&gist, scales);
    IM_TRY(im_fourier_new(&gist.whitening, gist.side, gist.side, 0, gist.side, subject, err));
    IM_TRY(im_fourier_new(&gist.filtering, gist.height, gist.width, gist.margin, image.height,
                          subject, err));
    gist.lowpass = im_alloc(gist.side * gist.side, sizeof *gist.lowpass);
    gist.gabor = im_alloc(gist.filters * gist.height * gist.width, sizeof *gist.gabor);
    if (!gist.lowpass || !gist.gabor) {
        st = im_fail_memory(err, "the filters of GIST");
        goto cleanup;
    }
    fill_lowpass(&gist);
    fill_gabor(&gist, scales);
    *out = gist;
    gist = (im_gist){0};

cleanup:
    im_gist_clear(&gist);
    return st;
}

void im_gist_clear(im_gist *gist)
{
    im_fourier_free(gist->whitening);
    im_fourier_free(gist->filtering);
    im_free(gist->lowpass);
    im_free(gist->gabor);
    *gist = (im_gist){0};
}

size_t im_gist_dim(const im_gist *gist)
{
    return gist->channels * gist->filters * BLOCKS * BLOCKS;
}

/* ---- one image ------------------------------------------------------------------------ */

/* Buffers of one thread. */
typedef struct scratch {
    float *row;        /* (height, width, channels) of the image */
    double *plane;     /* (channels, side, side) what is described, whitened */
    double *square;    /* (side, side, 2) */
    double *transform; /* (height, width, 2) of the image with its margins */
    double *filtered;  /* the same, of one filter */
} scratch;

typedef struct work {
    const im_gist *gist;
    const imsat_data *data;
    size_t first;
    float *out;
    scratch *scratches; /* [threads] */
    _Atomic size_t bad; /* the first row with a negative value; SIZE_MAX: none */
} work;

/* Where a pixel outside of 0 .. n - 1 is found when the image is mirrored at its borders,
 * again and again if need be. */
static size_t mirror(ptrdiff_t i, size_t n)
{
    const ptrdiff_t period = 2 * (ptrdiff_t)n;
    const size_t at = (size_t)((i % period + period) % period);
    return at < n ? at : 2 * n - 1 - at;
}

/* The same of the square that is whitened: the image and its border are mirrored in turn. */
static size_t mirror_square(size_t i, size_t n)
{
    return mirror((ptrdiff_t)mirror((ptrdiff_t)i, n + 2 * BORDER) - BORDER, n);
}

/* The image as it is described: gray is the mean of the channels, stretched to 0 .. 255, and
 * stays 0 if all pixels are alike. */
static void make_gray(float *gray, const float *row, size_t pixels, size_t channels)
{
    float least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < pixels; i++) {
        double sum = 0;
        for (size_t c = 0; c < channels; c++)
            sum += (double)row[i * channels + c];
        gray[i] = (float)(sum / (double)channels);
        least = fminf(least, gray[i]);
        most = fmaxf(most, gray[i]);
    }
    const double scale = most > least ? 255 / ((double)most - (double)least) : 0;
    for (size_t i = 0; i < pixels; i++)
        gray[i] = (float)(((double)gray[i] - (double)least) * scale);
}

/* log(1 + x) of a channel, mirrored to fill the square. */
static void fill_square(double *plane, const im_gist *gist, const float *pixels,
                        size_t channel)
{
    const size_t n = gist->side, width = gist->image.width;
    for (size_t i = 0; i < n; i++) {
        const size_t y = mirror_square(i, gist->image.height);
        for (size_t j = 0; j < n; j++) {
            const size_t x = mirror_square(j, width);
            const float value = pixels[(y * width + x) * gist->channels + channel];
            plane[i * n + j] = im_elementary_log(1 + (double)value);
        }
    }
}

/* The low frequencies of what is in the square's real parts; there again. */
static void smooth(double *square, const im_gist *gist)
{
    const size_t count = gist->side * gist->side;
    im_fourier_forward(gist->whitening, square);
    for (size_t i = 0; i < count; i++) {
        square[2 * i] *= gist->lowpass[i];
        square[2 * i + 1] *= gist->lowpass[i];
    }
    im_fourier_backward(gist->whitening, square);
}

static void whiten(scratch *s, const im_gist *gist, const float *pixels)
{
    const size_t count = gist->side * gist->side;
    for (size_t c = 0; c < gist->channels; c++) {
        double *plane = s->plane + c * count;
        fill_square(plane, gist, pixels, c);
        for (size_t i = 0; i < count; i++) {
            s->square[2 * i] = plane[i];
            s->square[2 * i + 1] = 0;
        }
        smooth(s->square, gist);
        for (size_t i = 0; i < count; i++)
            plane[i] -= s->square[2 * i];
    }
}

static void normalize_contrast(scratch *s, const im_gist *gist)
{
    const size_t count = gist->side * gist->side, channels = gist->channels;
    for (size_t i = 0; i < count; i++) {
        double mean = 0;
        for (size_t c = 0; c < channels; c++)
            mean += s->plane[c * count + i];
        mean /= (double)channels;
        s->square[2 * i] = mean * mean;
        s->square[2 * i + 1] = 0;
    }
    smooth(s->square, gist);
    for (size_t i = 0; i < count; i++) {
        const double deviation = sqrt(fabs(s->square[2 * i])); /* rounding may be below 0 */
        for (size_t c = 0; c < channels; c++)
            s->plane[c * count + i] /= 0.2 + deviation;
    }
}

/* The transform of a whitened channel with its margins. */
static void transform(scratch *s, const im_gist *gist, size_t channel)
{
    const double *plane = s->plane + channel * gist->side * gist->side;
    const ptrdiff_t margin = (ptrdiff_t)gist->margin;
    for (size_t i = 0; i < gist->height; i++) {
        const size_t y = mirror((ptrdiff_t)i - margin, gist->image.height) + BORDER;
        for (size_t j = 0; j < gist->width; j++) {
            const size_t x = mirror((ptrdiff_t)j - margin, gist->image.width) + BORDER;
            double *to = s->transform + 2 * (i * gist->width + j);
            to[0] = plane[y * gist->side + x];
            to[1] = 0;
        }
    }
    im_fourier_forward(gist->filtering, s->transform);
}

/* out (BLOCKS, BLOCKS): the mean magnitudes of the filtered image, column after column. */
static void pool_blocks(float *out, const scratch *s, const im_gist *gist)
{
    const size_t height = gist->image.height, width = gist->image.width;
    for (size_t b = 0; b < BLOCKS * BLOCKS; b++) {
        const size_t column = b / BLOCKS, row = b % BLOCKS;
        const size_t top = row * height / BLOCKS, bottom = (row + 1) * height / BLOCKS;
        const size_t left = column * width / BLOCKS, right = (column + 1) * width / BLOCKS;
        double sum = 0;
        for (size_t i = top; i < bottom; i++) {
            const double *at = s->filtered + 2 * (i + gist->margin) * gist->width;
            for (size_t j = left + gist->margin; j < right + gist->margin; j++)
                sum += sqrt(at[2 * j] * at[2 * j] + at[2 * j + 1] * at[2 * j + 1]);
        }
        out[b] = (float)(sum / (double)((bottom - top) * (right - left)));
    }
}

static void filter(float *out, scratch *s, const im_gist *gist)
{
    const size_t count = gist->height * gist->width;
    for (size_t f = 0; f < gist->filters; f++) {
        const double *gabor = gist->gabor + f * count;
        for (size_t i = 0; i < count; i++) {
            s->filtered[2 * i] = s->transform[2 * i] * gabor[i];
            s->filtered[2 * i + 1] = s->transform[2 * i + 1] * gabor[i];
        }
        im_fourier_backward(gist->filtering, s->filtered);
        pool_blocks(out + f * BLOCKS * BLOCKS, s, gist);
    }
}

static bool any_negative(const float *row, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= row[i] < 0;
    return found;
}

/* The first of all bad rows is kept, whichever thread meets it when. */
static void note_bad(work *w, size_t row)
{
    size_t known = atomic_load(&w->bad);
    while (row < known && !atomic_compare_exchange_weak(&w->bad, &known, row))
        continue;
}

static void describe_row(void *context, size_t task, int thread)
{
    work *w = context;
    const im_gist *gist = w->gist;
    scratch *s = &w->scratches[thread];
    const size_t pixels = gist->image.height * gist->image.width;
    float *out = w->out + task * im_gist_dim(gist);
    im_data_row(s->row, w->data, w->first + task);
    if (any_negative(s->row, pixels * gist->image.channels)) {
        note_bad(w, w->first + task);
        return;
    }
    if (!gist->color)
        make_gray(s->row, s->row, pixels, gist->image.channels);
    whiten(s, gist, s->row);
    normalize_contrast(s, gist);
    for (size_t c = 0; c < gist->channels; c++) {
        transform(s, gist, c);
        filter(out + c * gist->filters * BLOCKS * BLOCKS, s, gist);
    }
}

/* ---- many ------------------------------------------------------------------------------ */

static size_t lay_out(work *w, void *base, size_t threads)
{
    const im_gist *gist = w->gist;
    const size_t square = gist->side * gist->side, whole = gist->height * gist->width;
    im_carver c = {base, 0};
    w->scratches = im_carve(&c, threads, sizeof *w->scratches);
    for (size_t i = 0; i < threads; i++) {
        const scratch one = {.row = im_carve(&c, w->data->dim, sizeof(float)),
                             .plane = im_carve(&c, gist->channels * square, sizeof(double)),
                             .square = im_carve(&c, 2 * square, sizeof(double)),
                             .transform = im_carve(&c, 2 * whole, sizeof(double)),
                             .filtered = im_carve(&c, 2 * whole, sizeof(double))};
        if (base)
            w->scratches[i] = one;
    }
    return c.used;
}

imsat_status im_gist_rows(float *out, const im_gist *gist, const imsat_data *data,
                          size_t first, size_t count, im_pool *pool, imsat_error *err)
{
    work w = {.gist = gist, .data = data, .first = first, .out = out};
    const size_t threads = (size_t)im_pool_threads_of(pool, count);
    void *memory = im_alloc_unset(lay_out(&w, NULL, threads), 1);
    if (!memory)
        return im_fail_memory(err, "the transforms of GIST");
    lay_out(&w, memory, threads);
    atomic_init(&w.bad, SIZE_MAX);
    im_pool_run(pool, describe_row, &w, count);
    im_free(memory);
    const size_t bad = atomic_load(&w.bad);
    if (bad != SIZE_MAX)
        return im_fail(
            err, IMSAT_EINVAL,
            "row %zu (from 0) has a negative value; GIST is of pixels from 0 to 255", bad);
    return IMSAT_OK;
}
