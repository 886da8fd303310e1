/* SPDX-License-Identifier: MIT
 * The number the authors add inside every logarithm: log(p + 1e-8). */
#ifndef IM_OBJECTIVE_FLOOR_H
#define IM_OBJECTIVE_FLOOR_H

#include "core/elementary.h"

#define IM_LOG_FLOOR 1e-8

static inline double im_floor_log(double p)
{
    return im_elementary_log(p + IM_LOG_FLOOR);
}

/* log((p + floor) / (q + floor)) */
static inline double im_floor_log_ratio(double p, double q)
{
    return im_elementary_log((p + IM_LOG_FLOOR) / (q + IM_LOG_FLOOR));
}

/* Derivative of p log(p + floor). */
static inline double im_floor_xlogx_grad(double p)
{
    return im_elementary_log(p + IM_LOG_FLOOR) + p / (p + IM_LOG_FLOOR);
}

#endif
