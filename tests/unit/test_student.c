/* SPDX-License-Identifier: MIT
 * Soft assignments to centers: as the definition says, and the largest is the nearest. */
#include "nn/student.h"

#include "core/rng.h"
#include "support.h"

#include <math.h>

enum { N = 13, M = 4, K = 3, LDZ = 17, LDSQ = 14 };

static void assignments_are_as_defined(void **state)
{
    (void)state;
    float draw[M * LDZ + K * M];
    im_real z[M * LDZ], centers[K * M], sq[K * LDSQ], q[N * K];
    im_rng_normals(draw, M * LDZ + K * M, (im_rng){3, IM_STREAM_INIT, 1, 0}, 0);
    for (size_t i = 0; i < M * LDZ; i++)
        z[i] = draw[i];
    for (size_t i = 0; i < K * M; i++)
        centers[i] = draw[M * LDZ + i];
    im_student_sq_distances(sq, LDSQ, z, LDZ, centers, N, M, K);
    im_student_rows(q, sq, LDSQ, N, K);
    for (size_t i = 0; i < N; i++) {
        double weight[K], sum = 0;
        for (size_t j = 0; j < K; j++) {
            double distance = 0;
            for (size_t u = 0; u < M; u++)
                distance += pow((double)z[u * LDZ + i] - (double)centers[j * M + u], 2);
            assert_near((double)sq[j * LDSQ + i], distance, 1e-5 * distance);
            weight[j] = 1 / (1 + distance);
            sum += weight[j];
        }
        for (size_t j = 0; j < K; j++)
            assert_near((double)q[i * K + j], weight[j] / sum, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(assignments_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
