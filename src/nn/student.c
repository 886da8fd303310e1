/* SPDX-License-Identifier: MIT
 * See student.h. */
#include "nn/student.h"

static double sq_distance(const im_real *z, size_t ldz, const im_real *center, size_t m)
{
    double sum = 0;
    for (size_t u = 0; u < m; u++) {
        const double difference = (double)z[u * ldz] - (double)center[u];
        sum += difference * difference;
    }
    return sum;
}

void im_student_sq_distances(im_real *sq, size_t ldsq, const im_real *z, size_t ldz,
                             const im_real *centers, size_t n, size_t m, size_t k)
{
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < n; i++)
            sq[j * ldsq + i] = (im_real)sq_distance(z + i, ldz, centers + j * m, m);
}

void im_student_rows(im_real *q, const im_real *sq, size_t ldsq, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += 1 / (1 + (double)sq[j * ldsq + i]);
        for (size_t j = 0; j < k; j++)
            q[i * k + j] = (im_real)(1 / (1 + (double)sq[j * ldsq + i]) / sum);
    }
}
