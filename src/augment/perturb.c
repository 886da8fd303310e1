/* SPDX-License-Identifier: MIT
 * See perturb.h. */
#include "augment/perturb.h"

#include "core/gemm.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* length / sqrt(square), or 0 where there is no direction to go. */
static double unit_scale(double length, double square)
{
    return isfinite(square) && square > 0 ? length / sqrt(square) : 0;
}

/* out = x + factor_i direction_i, `columns` inputs of all rows. Where the factor is 0 the
 * direction is not even read: 0 times what is not finite is not 0. */
IM_CLONES static void add_rows(im_real *out, const im_real *x, const float *direction,
                               size_t dim, const double *factor, size_t count, size_t columns)
{
    for (size_t i = 0; i < count; i++) {
        const im_real *from = x + i * IM_GEMM_NR;
        if (factor[i] == 0)
            memcpy(out + i * IM_GEMM_NR, from, columns * sizeof *out);
        else
            for (size_t j = 0; j < columns; j++)
                out[i * IM_GEMM_NR + j] =
                    (im_real)(from[j] + factor[i] * direction[i * dim + j]);
    }
}

/* Rows that are taken together: their sums of squares run in order, side by side, which hides
 * the latency of the addition, and they are still in the cache when they are added. */
enum { TOGETHER = 8 };

static void row_squares(double square[TOGETHER], const float *rows, size_t count, size_t dim)
{
    assert(count > 0 && count <= TOGETHER);
    const float *row[TOGETHER];
    for (size_t r = 0; r < TOGETHER; r++) { /* past the end: the last row again */
        row[r] = rows + (r < count ? r : count - 1) * dim;
        square[r] = 0;
    }
    for (size_t j = 0; j < dim; j++)
        for (size_t r = 0; r < TOGETHER; r++)
            square[r] += (double)row[r][j] * row[r][j];
}

/* At most TOGETHER rows. */
static void perturb_some(im_real *out, const im_real *x, size_t panel, const float *direction,
                         const double *length, size_t count, size_t dim)
{
    double square[TOGETHER], factor[TOGETHER];
    row_squares(square, direction, count, dim);
    for (size_t i = 0; i < count; i++)
        factor[i] = unit_scale(length[i], square[i]);
    for (size_t j = 0; j < dim; j += IM_GEMM_NR, out += panel, x += panel)
        add_rows(out, x, direction + j, dim, factor, count,
                 dim - j < IM_GEMM_NR ? dim - j : IM_GEMM_NR);
}

static size_t together(size_t left)
{
    return left < TOGETHER ? left : TOGETHER;
}

void im_perturb_given(im_real *out, const im_real *x, size_t panel, const float *direction,
                      const double *length, size_t count, size_t dim)
{
    for (size_t i = 0; i < count; i += TOGETHER)
        perturb_some(out + i * IM_GEMM_NR, x + i * IM_GEMM_NR, panel, direction + i * dim,
                     length + i, together(count - i), dim);
}

void im_perturb_random(im_real *out, const im_real *x, size_t panel, const double *length,
                       const uint32_t *item, size_t count, size_t dim, im_rng rng,
                       float *scratch)
{
    for (size_t i = 0; i < count; i += TOGETHER) {
        const size_t some = together(count - i);
        for (size_t r = 0; r < some; r++)
            im_rng_normals(scratch + r * dim, dim, rng, item[i + r]);
        perturb_some(out + i * IM_GEMM_NR, x + i * IM_GEMM_NR, panel, scratch, length + i,
                     some, dim);
    }
}

IM_CLONES static void column_squares(double *square, const im_real *g, size_t ldg,
                                     size_t count, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        for (size_t i = 0; i < count; i++)
            square[i] += (double)g[j * ldg + i] * g[j * ldg + i];
}

IM_CLONES static void add_columns(im_real *out, const im_real *x, size_t ld, const im_real *g,
                                  size_t ldg, const double *factor, size_t count, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        for (size_t i = 0; i < count; i++)
            out[j * ld + i] = (im_real)(x[j * ld + i] + factor[i] * g[j * ldg + i]);
}

void im_perturb_along(im_real *out, const im_real *x, size_t ld, const im_real *g, size_t ldg,
                      const double *length, size_t count, size_t dim)
{
    assert(count <= IM_STRIP);
    double square[IM_STRIP] = {0}, factor[IM_STRIP]; /* a tiny g has a factor beyond float */
    column_squares(square, g, ldg, count, dim);
    for (size_t i = 0; i < count; i++)
        factor[i] = unit_scale(length[i], square[i]);
    add_columns(out, x, ld, g, ldg, factor, count, dim);
    for (size_t i = 0; i < count; i++) /* 0 times what is not finite is not 0 */
        for (size_t j = 0; factor[i] == 0 && j < dim; j++)
            out[j * ld + i] = x[j * ld + i];
}
