/* SPDX-License-Identifier: MIT
 *
 * An axis of a figure: from values to places, and where its ticks are. Ticks of a linear axis
 * are multiples of 1, 2 or 5 times a power of ten; those of a logarithmic one are powers of
 * ten, and their multiples by 2 and 5 where few powers are in sight.
 */
#ifndef IM_PLOT_AXIS_H
#define IM_PLOT_AXIS_H

#include "core/strbuf.h"

typedef struct im_axis {
    const char *label; /* NULL: none */
    bool log;          /* of positive values alone; others are left out */
    double low, high;  /* what it shows; low >= high: of the data, by im_axis_settle() */
    double at, length; /* where low is, and how far away high is, in units of the figure */
} im_axis;

/* Whether the axis has a place for a value: it is finite, and positive if the axis is
 * logarithmic. */
bool im_axis_holds(const im_axis *axis, double value);

/* Take the range of `n` values into low..high, which begins as INFINITY..-INFINITY. */
void im_axis_cover(const im_axis *axis, double *low, double *high, const double *values,
                   size_t n);

/* If the axis has no range, take low..high, widened where it is empty, and to whole ticks. */
void im_axis_settle(im_axis *axis, double low, double high);

/* The place of a value that the axis holds. */
double im_axis_place(const im_axis *axis, double value);

enum { IM_AXIS_TICKS = 24 };

/* The ticks within the range, about `wanted` of them, at least 2 of a linear axis; returns how
 * many. */
size_t im_axis_ticks(const im_axis *axis, double ticks[IM_AXIS_TICKS], size_t wanted);

/* A tick's number: "0.25", "5000", "1e-5". */
void im_axis_text(im_strbuf *out, double tick);

#endif
