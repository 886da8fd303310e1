/* SPDX-License-Identifier: MIT
 *
 * See quantization.h. With G = W W^T - I, which is symmetric, |G|^2 / 2 has the gradient 2 G
 * W: row u is the sum over v of 2 G_uv w_v, so rows are found apart from each other.
 */
#include "objective/quantization.h"

#include "nn/activation.h"

#include <string.h>

double im_quantization_unit(im_real *dz, const im_real *z, double balance, size_t n)
{
    double sum = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
        dz[i] = im_activation(z[i], IM_FORM_TANH);
        mean += (double)dz[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        const double h = (double)dz[i], error = h - (z[i] > 0 ? 1 : -1);
        sum += (error * error - balance * (h - mean) * (h - mean)) / 2;
        dz[i] = (im_real)((error - balance * (h - mean)) * (1 - h * h) / (double)n);
    }
    return sum / (double)n;
}

double im_orthonormal_row(im_real *dw, double *scratch, const im_real *w, size_t rows,
                          size_t columns, size_t u, double weight)
{
    double sum = 0;
    memset(scratch, 0, columns * sizeof *scratch);
    for (size_t v = 0; v < rows; v++) {
        double dot = u == v ? -1 : 0;
        for (size_t j = 0; j < columns; j++)
            dot += (double)w[u * columns + j] * (double)w[v * columns + j];
        for (size_t j = 0; j < columns; j++)
            scratch[j] += 2 * weight * dot * (double)w[v * columns + j];
        sum += dot * dot;
    }
    for (size_t j = 0; j < columns; j++)
        dw[j] += (im_real)scratch[j];
    return weight / 2 * sum;
}
