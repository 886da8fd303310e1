/* SPDX-License-Identifier: MIT
 * Sums in lanes, for every length about the number of lanes: near those of a plain loop, and
 * to the bit those of the documented order. */
#include "core/lanes.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { MOST = 41 };

static float f[MOST], g[MOST];
static im_real r[MOST];
static double x[MOST], y[MOST];

/* Numbers of many sizes, so that the order of a sum shows in its last bits. */
static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < MOST; i++) {
        x[i] = sin((double)(i * i + 1)) * pow(10, (double)(i % 5));
        y[i] = cos((double)(3 * i)) / (double)(1 + i % 7);
        f[i] = (float)x[i];
        g[i] = (float)y[i];
        r[i] = (im_real)x[i];
    }
    return 0;
}

/* Fold term(i) of n into lanes: lane l has the terms l, l + 8, ... below `end`. */
static void fold(double lane[8], const double *term, size_t end)
{
    memset(lane, 0, 8 * sizeof *lane);
    for (size_t i = 0; i < end; i++)
        lane[i % 8] += term[i];
}

static void assert_same(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void neighbors_are_joined_first(void **state)
{
    (void)state;
    for (size_t n = 0; n <= MOST; n++) {
        double term[3][MOST], lane[8], plain = 0;
        for (size_t i = 0; i < n; i++) {
            term[0][i] = r[i];
            term[1][i] = (r[i] - 0.375) * (r[i] - 0.375);
            term[2][i] = x[i] * y[i];
            plain += term[1][i];
        }
        fold(lane, term[0], n);
        assert_same(im_lanes_sum(r, n), im_lanes_join(lane));
        fold(lane, term[1], n);
        assert_same(im_lanes_sq_deviation(r, 0.375, n), im_lanes_join(lane));
        assert_near(im_lanes_sq_deviation(r, 0.375, n), plain, 1e-6);
        fold(lane, term[2], n);
        assert_same(im_lanes_dot(x, y, n), im_lanes_join(lane));
        assert_same(im_lanes_join(lane), ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
                                             ((lane[4] + lane[5]) + (lane[6] + lane[7])));
    }
}

static void norms_and_distances_keep_their_orders(void **state)
{
    (void)state;
    for (size_t n = 0; n <= MOST; n++) {
        double square[MOST], distance[MOST], lane[8], sq = 0;
        for (size_t i = 0; i < n; i++) {
            square[i] = x[i] * x[i];
            distance[i] = ((double)f[i] - g[i]) * ((double)f[i] - g[i]);
        }
        fold(lane, square, n);
        assert_same(im_lanes_sq_norm(x, n), ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
                                                ((lane[1] + lane[5]) + (lane[3] + lane[7])));
        fold(lane, distance, n / 8 * 8);
        for (size_t i = n / 8 * 8; i < n; i++)
            sq += distance[i];
        for (size_t l = 0; l < 8; l++)
            sq += lane[l];
        assert_same(im_lanes_sq_distance(f, g, n), sq);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_are_joined_first),
        cmocka_unit_test(norms_and_distances_keep_their_orders),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
