/* SPDX-License-Identifier: MIT
 *
 * All eigenvalues and eigenvectors of a small symmetric matrix,
 *
 *     A = Z^T diag(value) Z        rows of Z orthonormal
 *
 * in double: Householder's reflections make it tridiagonal, and implicit QL steps diagonal
 * (Golub and Van Loan, Matrix Computations, 8.3). On one thread, by sums of a fixed order and
 * roots alone, so with the same bits everywhere. Some 6 n^3 operations. The largest few of a
 * large matrix are linear/krylov.h.
 */
#ifndef IM_LINEAR_SYMMETRIC_H
#define IM_LINEAR_SYMMETRIC_H

#include <stddef.h>

/* How many doubles of scratch it takes. */
size_t im_symmetric_scratch(size_t n);

/* value (n), the largest first, and z (n,n), an eigenvector a row, of the matrix a (n,n),
 * which is lost. Of a vector, the first of its largest elements is positive. */
void im_symmetric_eigen(double *value, double *z, double *a, size_t n, double *scratch);

/* Turn a vector (n) about, if need be, so that the first of its largest elements is positive.
 */
void im_symmetric_sign(double *vector, size_t n);

#endif
