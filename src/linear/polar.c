/* SPDX-License-Identifier: MIT
 *
 * See polar.h. The right singular vectors z are the eigenvectors of M^T M, and M z the left
 * ones, times their singular values. Squaring loses the small singular values; so the left
 * vectors are made orthogonal once more, from the largest value on, and R is a rotation to the
 * last bits whatever M is.
 */
#include "linear/polar.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "linear/symmetric.h"

#include <math.h>
#include <stdbool.h>

typedef struct desk {
    double *square;  /* (n,n) M^T M; then the left vectors, a row each */
    double *right;   /* (n,n) the right ones */
    double *value;   /* (n) */
    double *scratch; /* of the eigenproblem */
    void *memory;
} desk;

static size_t lay_out(desk *w, void *base, size_t n)
{
    im_carver c = {base, 0};
    w->square = im_carve(&c, n * n, sizeof(double));
    w->right = im_carve(&c, n * n, sizeof(double));
    w->value = im_carve(&c, n, sizeof(double));
    w->scratch = im_carve(&c, im_symmetric_scratch(n), sizeof(double));
    return c.used;
}

static void square(double *out, const double *m, size_t n)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            im_lanes_add(out + i * n, m[k * n + i], m + k * n, n);
}

/* Row i of left becomes orthogonal to those before it, and of length 1; false: it is nothing
 * but rounding, beside what it was. */
static bool orthonormal(double *left, size_t i, size_t n, double before)
{
    double *row = left + i * n;
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < i; j++)
            im_lanes_add(row, -im_lanes_dot(row, left + j * n, n), left + j * n, n);
    const double after = sqrt(im_lanes_dot(row, row, n));
    if (!(after > 1e-12 * before))
        return false;
    for (size_t j = 0; j < n; j++)
        row[j] /= after;
    return true;
}

/* Some direction that is left: of the axes, the first that lies half outside of the others. */
static void complete(double *left, size_t i, size_t n)
{
    for (size_t axis = 0; axis < n; axis++) {
        double inside = 0;
        for (size_t j = 0; j < i; j++)
            inside += left[j * n + axis] * left[j * n + axis];
        if (inside > 1 - 0.5 / (double)n)
            continue;
        memset(left + i * n, 0, n * sizeof *left);
        left[i * n + axis] = 1;
        if (orthonormal(left, i, n, 1))
            return;
    }
}

/* Row e of left = M times row e of right. */
static void set_left(desk *w, const double *m, size_t n)
{
    double largest = 0;
    for (size_t e = 0; e < n; e++) {
        double *row = w->square + e * n;
        for (size_t i = 0; i < n; i++)
            row[i] = im_lanes_dot(m + i * n, w->right + e * n, n);
        largest = fmax(largest, sqrt(im_lanes_dot(row, row, n)));
        if (!orthonormal(w->square, e, n, largest))
            complete(w->square, e, n);
    }
}

imsat_status im_polar_rotation(double *out, const double *m, size_t n, imsat_error *err)
{
    desk w = {0};
    w.memory = im_alloc(lay_out(&w, NULL, n), 1);
    if (!w.memory)
        return im_fail_memory(err, "a rotation");
    lay_out(&w, w.memory, n);
    square(w.square, m, n);
    im_symmetric_eigen(w.value, w.right, w.square, n, w.scratch);
    set_left(&w, m, n);
    memset(out, 0, n * n * sizeof *out);
    for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < n; i++)
            im_lanes_add(out + i * n, w.square[e * n + i], w.right + e * n, n);
    im_free(w.memory);
    return IMSAT_OK;
}
