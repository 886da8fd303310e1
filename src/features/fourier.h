/* SPDX-License-Identifier: MIT
 *
 * Fourier transforms of two dimensions, in double, as MATLAB's fft2() has them:
 *
 *     X(u,v) = sum over i, j of x(i,j) e^(-2 pi I (u i / height + v j / width))
 *
 * Complex numbers are pairs of doubles, and arrays of them (height, width, 2), aligned to 64
 * bytes as all memory of im_alloc() is. By FFTW, which makes its plans in one thread at a
 * time: here that is seen to, but a caller of the library that plans with FFTW itself, on
 * another thread, must keep away.
 */
#ifndef IM_FEATURES_FOURIER_H
#define IM_FEATURES_FOURIER_H

#include "core/status.h"

typedef struct im_fourier im_fourier;

/* Transforms of this size; back, only rows first .. first + rows - 1 are wanted. `subject`
 * begins the message of a build without FFTW. */
imsat_status im_fourier_new(im_fourier **out, size_t height, size_t width, size_t first,
                            size_t rows, const char *subject, imsat_error *err);
void im_fourier_free(im_fourier *fourier);

/* In place. Thread-safe, for different arrays. */
void im_fourier_forward(const im_fourier *fourier, double *x);

/* In place, and without the factor 1 / (height width). The wanted rows are the inverse
 * transform; what the others hold is of no use. */
void im_fourier_backward(const im_fourier *fourier, double *x);

#endif
