/* SPDX-License-Identifier: MIT
 * See symmetric.h. */
#include "linear/symmetric.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/real.h"

#include <float.h>
#include <math.h>

/* QL steps for one eigenvalue, of which two are usual: rounding alone cannot need more. */
enum { MOST_STEPS = 60 };

size_t im_symmetric_scratch(size_t n)
{
    return 2 * n;
}

/* ---- to a tridiagonal matrix -------------------------------------------------- */

/* v (n) becomes the unit vector of the reflection I - 2 v v^T that takes it to a multiple of
 * the first axis, which is returned. */
static double reflect(double *v, size_t n)
{
    const double norm = sqrt(im_lanes_dot(v, v, n));
    const double along = v[0] > 0 ? -norm : norm;
    v[0] -= along;
    const double length = sqrt(im_lanes_dot(v, v, n));
    for (size_t i = 0; i < n; i++)
        v[i] = length > 0 ? v[i] / length : 0;
    return along;
}

/* Reflect the rows and columns behind k: with p = A v the matrix becomes A - v w^T - w v^T,
 * w = 2 p - 2 (v . p) v. */
static void reflect_rest(double *a, size_t n, size_t k, double *w)
{
    const size_t rest = n - k - 1;
    const double *v = a + k * n + k + 1;
    for (size_t i = 0; i < rest; i++)
        w[i] = 2 * im_lanes_dot(a + (k + 1 + i) * n + k + 1, v, rest);
    im_lanes_add(w, -im_lanes_dot(w, v, rest), v, rest);
    for (size_t i = 0; i < rest; i++) {
        double *row = a + (k + 1 + i) * n + k + 1;
        im_lanes_add(row, -v[i], w, rest);
        im_lanes_add(row, -w[i], v, rest);
    }
}

/* value (n) and off (n) = the diagonal and what is beside it; the vectors of the reflections
 * are left in the rows of a, right of the diagonal. */
static void tridiagonalize(double *value, double *off, double *a, size_t n, double *w)
{
    for (size_t k = 0; k < n; k++) {
        value[k] = a[k * n + k];
        off[k] = 0;
        if (k + 1 < n) {
            off[k] = reflect(a + k * n + k + 1, n - k - 1);
            reflect_rest(a, n, k, w);
        }
    }
}

/* z (n,n) = the product of all reflections, the last one leftmost. */
static void multiply_reflections(double *z, const double *a, size_t n)
{
    memset(z, 0, n * n * sizeof *z);
    for (size_t i = 0; i < n; i++)
        z[i * n + i] = 1;
    for (size_t k = n - 1; k-- > 0;)
        for (size_t i = k + 1; i < n; i++) {
            const double *v = a + k * n + k + 1;
            double *row = z + i * n + k + 1;
            im_lanes_add(row, -2 * im_lanes_dot(row, v, n - k - 1), v, n - k - 1);
        }
}

/* ---- to a diagonal one --------------------------------------------------------- */

/* Rows of z turn: lower = c lower - s upper, upper = s lower + c upper. */
IM_CLONES static void turn(double *restrict lower, double *restrict upper, double c, double s,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double l = lower[i], u = upper[i];
        upper[i] = s * l + c * u;
        lower[i] = c * l - s * u;
    }
}

/* One implicit QL step on rows first .. last, with Wilkinson's shift. */
static void ql_step(double *value, double *off, double *z, size_t n, size_t first, size_t last)
{
    const double half = (value[first + 1] - value[first]) / (2 * off[first]);
    const double root = sqrt(half * half + 1);
    double g = value[last] - value[first] + off[first] / (half + (half < 0 ? -root : root));
    double s = 1, c = 1, p = 0;
    for (size_t i = last; i-- > first;) {
        const double f = s * off[i], b = c * off[i];
        const double length = sqrt(f * f + g * g);
        off[i + 1] = length;
        if (!(length > 0)) {
            value[i + 1] -= p;
            off[last] = 0;
            return;
        }
        s = f / length;
        c = g / length;
        g = value[i + 1] - p;
        const double r = (value[i] - g) * s + 2 * c * b;
        p = s * r;
        value[i + 1] = g + p;
        g = c * r - b;
        turn(z + i * n, z + (i + 1) * n, c, s, n);
    }
    value[first] -= p;
    off[first] = g;
    off[last] = 0;
}

/* The end of the part of the matrix that row `first` hangs together with. */
static size_t part_end(const double *value, const double *off, size_t n, size_t first)
{
    size_t last = first;
    while (last + 1 < n &&
           fabs(off[last]) > DBL_EPSILON / 2 * (fabs(value[last]) + fabs(value[last + 1])))
        last++;
    return last;
}

static void diagonalize(double *value, double *off, double *z, size_t n)
{
    for (size_t first = 0; first < n; first++)
        for (int step = 0; step < MOST_STEPS; step++) {
            const size_t last = part_end(value, off, n, first);
            if (last == first)
                break;
            ql_step(value, off, z, n, first, last);
        }
}

/* ---- in order ------------------------------------------------------------------- */

static void exchange(double *a, double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void sort(double *value, double *z, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t largest = i;
        for (size_t j = i + 1; j < n; j++)
            if (value[j] > value[largest])
                largest = j;
        if (largest != i) {
            exchange(value + i, value + largest, 1);
            exchange(z + i * n, z + largest * n, n);
        }
    }
}

void im_symmetric_sign(double *vector, size_t n)
{
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(vector[i]) > fabs(vector[largest]))
            largest = i;
    const double sign = vector[largest] < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++)
        vector[i] *= sign;
}

void im_symmetric_eigen(double *value, double *z, double *a, size_t n, double *scratch)
{
    double *off = scratch, *w = scratch + n;
    tridiagonalize(value, off, a, n, w);
    multiply_reflections(z, a, n);
    diagonalize(value, off, z, n);
    sort(value, z, n);
    for (size_t i = 0; i < n; i++)
        im_symmetric_sign(z + i * n, n);
}
