/* SPDX-License-Identifier: MIT
 * See lanes.h. */
#include "core/lanes.h"

IM_CLONES static double sum(const im_real *x, size_t n)
{
    double lane[IM_LANES] = {0};
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES)
        for (size_t l = 0; l < IM_LANES; l++)
            lane[l] += x[i + l];
    for (size_t l = 0; i + l < n; l++)
        lane[l] += x[i + l];
    return im_lanes_join(lane);
}

IM_CLONES static double sq_deviation(const im_real *x, double mean, size_t n)
{
    double lane[IM_LANES] = {0};
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES)
        for (size_t l = 0; l < IM_LANES; l++)
            lane[l] += (x[i + l] - mean) * (x[i + l] - mean);
    for (size_t l = 0; i + l < n; l++)
        lane[l] += (x[i + l] - mean) * (x[i + l] - mean);
    return im_lanes_join(lane);
}

IM_CLONES static double dot(const double *x, const double *y, size_t n)
{
    double lane[IM_LANES] = {0};
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES)
        for (size_t l = 0; l < IM_LANES; l++)
            lane[l] += x[i + l] * y[i + l];
    for (size_t l = 0; i + l < n; l++)
        lane[l] += x[i + l] * y[i + l];
    return im_lanes_join(lane);
}

IM_CLONES static double sq_norm(const double *x, size_t n)
{
    double lane[IM_LANES] = {0};
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES)
        for (size_t l = 0; l < IM_LANES; l++)
            lane[l] += x[i + l] * x[i + l];
    for (size_t l = 0; i + l < n; l++)
        lane[l] += x[i + l] * x[i + l];
    return im_lanes_sq_norm_join(lane);
}

IM_CLONES static double sq_distance(const float *x, const float *y, size_t n)
{
    double lane[IM_LANES] = {0}, sq = 0;
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES) {
        for (size_t l = 0; l < IM_LANES; l++) {
            const double difference = (double)x[i + l] - y[i + l];
            lane[l] += difference * difference;
        }
    }
    for (; i < n; i++)
        sq += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
    for (size_t l = 0; l < IM_LANES; l++)
        sq += lane[l];
    return sq;
}

/* The clones are static: gcc exports those that are not, and their resolvers, even where
 * symbols are hidden. */

double im_lanes_sum(const im_real *x, size_t n)
{
    return sum(x, n);
}

double im_lanes_sq_deviation(const im_real *x, double mean, size_t n)
{
    return sq_deviation(x, mean, n);
}

IM_CLONES static void add(double *restrict x, double a, const double *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] += a * y[i];
}

void im_lanes_add(double *restrict x, double a, const double *restrict y, size_t n)
{
    add(x, a, y, n);
}

double im_lanes_dot(const double *x, const double *y, size_t n)
{
    return dot(x, y, n);
}

double im_lanes_sq_norm(const double *x, size_t n)
{
    return sq_norm(x, n);
}

double im_lanes_sq_distance(const float *x, const float *y, size_t n)
{
    return sq_distance(x, y, n);
}
