/* SPDX-License-Identifier: MIT
 * See marks.h. */
#include "report/marks.h"

#include "core/alloc.h"

#include <math.h>

static const double SLIGHT = 0.1; /* deviations: not worth a line */

imsat_status im_marks_fit(im_marks *out, const imsat_data *data, const int32_t *labels,
                          bool words, imsat_error *err)
{
    const size_t d = data->dim, n = data->rows;
    im_marks c = {.data = data, .labels = labels, .words = words};
    c.memory = im_alloc(5 * d, sizeof *c.memory);
    c.row = im_alloc(d, sizeof *c.row);
    if (!c.memory || !c.row) {
        im_marks_clear(&c);
        return im_fail_memory(err, "the columns of clusters");
    }
    c.mean = c.memory;
    c.deviation = c.mean + d;
    c.low = c.deviation + d;
    c.high = c.low + d;
    c.inside = c.high + d;
    for (size_t i = 0; i < n; i++) {
        im_data_row(c.row, data, i);
        for (size_t j = 0; j < d; j++) {
            const double x = (double)c.row[j], off = x - c.mean[j];
            c.mean[j] += off / (double)(i + 1); /* as Welford has it */
            c.deviation[j] += off * (x - c.mean[j]);
            c.low[j] = i == 0 ? x : fmin(c.low[j], x);
            c.high[j] = i == 0 ? x : fmax(c.high[j], x);
        }
    }
    for (size_t j = 0; j < d; j++)
        c.deviation[j] = sqrt(c.deviation[j] / (double)n);
    *out = c;
    return IMSAT_OK;
}

void im_marks_clear(im_marks *columns)
{
    im_free(columns->memory);
    im_free(columns->row);
    *columns = (im_marks){0};
}

/* The means of a cluster's rows; returns how many there are. */
static size_t average(im_marks *c, int32_t cluster)
{
    const size_t d = c->data->dim;
    size_t count = 0;
    memset(c->inside, 0, d * sizeof *c->inside);
    for (size_t i = 0; i < c->data->rows; i++) {
        if (c->labels[i] != cluster)
            continue;
        im_data_row(c->row, c->data, i);
        count++;
        for (size_t j = 0; j < d; j++)
            c->inside[j] += ((double)c->row[j] - c->inside[j]) / (double)count;
    }
    return count;
}

static double strength(const im_marks *c, double effect)
{
    return c->words ? effect : fabs(effect);
}

static size_t insert(im_mark *marks, size_t count, size_t most, const im_marks *c,
                     im_mark mark)
{
    size_t at = count;
    while (at > 0 && strength(c, mark.effect) > strength(c, marks[at - 1].effect))
        at--;
    if (at == most)
        return count;
    count += count < most;
    for (size_t i = count - 1; i > at; i--)
        marks[i] = marks[i - 1];
    marks[at] = mark;
    return count;
}

size_t im_marks_mark(im_mark *marks, size_t most, im_marks *columns, int32_t cluster)
{
    const im_marks *c = columns;
    const size_t n = c->data->rows, count = average(columns, cluster);
    size_t found = 0;
    if (count == 0 || count == n)
        return 0;
    for (size_t j = 0; j < c->data->dim; j++) {
        const double inside = c->inside[j];
        const double outside =
            (c->mean[j] * (double)n - inside * (double)count) / (double)(n - count);
        const double unit = c->words ? 1 : c->deviation[j];
        const im_mark mark = {j, (inside - outside) / unit, inside, outside};
        if (unit > 0 && strength(c, mark.effect) > (c->words ? 0 : SLIGHT))
            found = insert(marks, found, most, c, mark);
    }
    return found;
}

static void scale(double bins[IM_MARKS_BINS])
{
    double most = 0;
    for (size_t b = 0; b < IM_MARKS_BINS; b++)
        most = fmax(most, bins[b]);
    for (size_t b = 0; b < IM_MARKS_BINS && most > 0; b++)
        bins[b] /= most;
}

void im_marks_spread(double inside[IM_MARKS_BINS], double outside[IM_MARKS_BINS],
                     const im_marks *columns, size_t column, int32_t cluster)
{
    const double low = columns->low[column], width = columns->high[column] - low;
    memset(inside, 0, IM_MARKS_BINS * sizeof *inside);
    memset(outside, 0, IM_MARKS_BINS * sizeof *outside);
    for (size_t i = 0; i < columns->data->rows; i++) {
        const double share =
            width > 0 ? (im_data_value(columns->data, i, column) - low) / width : 0;
        const size_t bin = im_size_min((size_t)(share * IM_MARKS_BINS), IM_MARKS_BINS - 1);
        double *bins = columns->labels[i] == cluster ? inside : outside;
        bins[bin]++;
    }
    scale(inside);
    scale(outside);
}
