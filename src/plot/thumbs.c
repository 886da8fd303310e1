/* SPDX-License-Identifier: MIT
 * See thumbs.h. */
#include "plot/thumbs.h"

#include "core/alloc.h"
#include "plot/png.h"

#include <math.h>

imsat_status im_thumbs_fit(im_thumbs *out, imsat_image image, const imsat_data *sample,
                           imsat_error *err)
{
    im_thumbs p = {.image = image, .low = INFINITY, .high = -INFINITY};
    const size_t longer = image.height > image.width ? image.height : image.width;
    if (longer == 0)
        return IMSAT_OK;
    p.step = (longer + IM_THUMBS_SIDE - 1) / IM_THUMBS_SIDE;
    p.height = (image.height + p.step - 1) / p.step;
    p.width = (image.width + p.step - 1) / p.step;
    p.channels = image.channels >= 3 ? 3 : 1;
    p.row = im_alloc(sample->dim, sizeof *p.row);
    p.pixels = im_alloc(p.height * p.width, p.channels);
    if (!p.row || !p.pixels) {
        im_thumbs_clear(&p);
        return im_fail_memory(err, "the pictures of the report");
    }
    for (size_t i = 0; i < sample->rows; i++) {
        im_data_row(p.row, sample, i);
        for (size_t j = 0; j < sample->dim; j++) {
            p.low = fmin(p.low, (double)p.row[j]);
            p.high = fmax(p.high, (double)p.row[j]);
        }
    }
    *out = p;
    return IMSAT_OK;
}

void im_thumbs_clear(im_thumbs *pictures)
{
    im_free(pictures->row);
    im_free(pictures->pixels);
    *pictures = (im_thumbs){0};
}

size_t im_thumbs_bytes(const im_thumbs *p)
{
    return (p->height * (p->width * p->channels + 1) + 100) * 4 / 3 + 24;
}

/* The mean of a square of pixels: of one channel, or of all if the picture is gray. */
static double mean_of(const im_thumbs *p, size_t y, size_t x, size_t channel)
{
    const imsat_image *m = &p->image;
    const size_t bottom = im_size_min((y + 1) * p->step, m->height);
    const size_t right = im_size_min((x + 1) * p->step, m->width);
    const size_t first = p->channels == 1 ? 0 : channel;
    const size_t last = p->channels == 1 ? m->channels : channel + 1;
    double sum = 0;
    size_t count = 0;
    for (size_t i = y * p->step; i < bottom; i++)
        for (size_t j = x * p->step; j < right; j++)
            for (size_t c = first; c < last; c++, count++)
                sum += (double)p->row[(i * m->width + j) * m->channels + c];
    return sum / (double)count;
}

static uint8_t level(const im_thumbs *p, double value)
{
    const double share = p->high > p->low ? (value - p->low) / (p->high - p->low) : 0;
    return (uint8_t)(fmin(fmax(share, 0), 1) * 255 + 0.5);
}

/* The picture of a row, into `to`, whose lines are `line` bytes apart. */
static void draw(uint8_t *to, size_t line, const im_thumbs *p, const imsat_data *data,
                 size_t row)
{
    im_data_row(p->row, data, row);
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++)
            for (size_t c = 0; c < p->channels; c++)
                to[y * line + x * p->channels + c] = level(p, mean_of(p, y, x, c));
}

static imsat_status put(im_strbuf *out, const uint8_t *pixels, size_t height, size_t width,
                        size_t channels, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char *file = NULL;
    size_t size;
    IM_TRY(im_png_encode(&file, &size, pixels, height, width, channels, err));
    im_strbuf_put(out, "data:image/png;base64,");
    im_strbuf_base64(out, file, size);

cleanup:
    im_free(file);
    return st;
}

imsat_status im_thumbs_put(im_strbuf *out, im_thumbs *p, const imsat_data *data, size_t row,
                           imsat_error *err)
{
    draw(p->pixels, p->width * p->channels, p, data, row);
    return put(out, p->pixels, p->height, p->width, p->channels, err);
}

/* rows (count), or NULL: every so many. */
static imsat_status put_sheet(im_strbuf *out, im_thumbs *p, const imsat_data *data,
                              const size_t *rows, size_t every, size_t count, size_t across,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t down = (count + across - 1) / across, line = across * p->width * p->channels;
    uint8_t *sheet = im_alloc(down * p->height, line);
    if (!sheet)
        return im_fail_memory(err, "a sheet of pictures");
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows ? rows[i] : i * every;
        if (row < data->rows)
            draw(sheet + i / across * p->height * line + i % across * p->width * p->channels,
                 line, p, data, row);
    }
    IM_TRY(put(out, sheet, down * p->height, across * p->width, p->channels, err));

cleanup:
    im_free(sheet);
    return st;
}

imsat_status im_thumbs_sheet(im_strbuf *out, im_thumbs *p, const imsat_data *data,
                             size_t every, size_t count, size_t across, imsat_error *err)
{
    return put_sheet(out, p, data, NULL, every, count, across, err);
}

imsat_status im_thumbs_rows(im_strbuf *out, im_thumbs *p, const imsat_data *data,
                            const size_t *rows, size_t count, size_t across, imsat_error *err)
{
    return put_sheet(out, p, data, rows, 0, count, across, err);
}
