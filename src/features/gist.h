/* SPDX-License-Identifier: MIT
 *
 * GIST, the descriptor of a scene by A. Oliva and A. Torralba, "Modeling the shape of the
 * scene", 2001: how much of the image's energy each of some Gabor filters passes, in each of
 * 4 x 4 blocks. There are two usual ones, and the paper on IMSAT uses both:
 *
 *     gray    512 = 16 blocks x 32 filters, 8 orientations at 4 scales, as the authors' own
 *             program (LMgist.m) has it: of the mean of the channels, stretched to 0 .. 255,
 *             with margins of 32 mirrored pixels
 *     color   960 = 16 blocks x 3 channels x 20 filters, 8, 8 and 4 orientations at 3 scales,
 *             as lear_gist has it: of each channel as it is, without margins
 *
 * Both begin with whitening and local contrast normalization (gist.c has the formulas). Values
 * are in the order [channel][filter][block column][block row].
 *
 * Arithmetic is in double, and rounded to float at the end. FFTW and the arc tangent may round
 * differently on another processor, so the last bit of a value may differ there.
 */
#ifndef IM_FEATURES_GIST_H
#define IM_FEATURES_GIST_H

#include "core/threads.h"
#include "data/dataset.h"
#include "features/fourier.h"

/* The smallest side, a pixel a block, and the largest: the filters of such images take 300 MB.
 */
enum { IM_GIST_LEAST_SIDE = 4, IM_GIST_MOST_SIDE = 1024 };

typedef struct im_gist {
    imsat_image image;    /* of the rows */
    bool color;           /* 960 rather than 512 */
    size_t channels;      /* that are described: 1 or 3 */
    size_t margin;        /* mirrored pixels on each side */
    size_t height, width; /* with them */
    size_t side;          /* of the square that is whitened */
    size_t filters;
    im_fourier *whitening; /* (side, side) owned */
    im_fourier *filtering; /* (height, width) owned; back: the rows of the image */
    double *lowpass;       /* (side, side) owned; includes the factor of the transform */
    double *gabor;         /* (filters, height, width) owned; the same */
} im_gist;

/* For rows that are such images: (height, width, channels) with 1 or 3 channels, 3 for color.
 * The sides are checked. `subject` begins messages. */
imsat_status im_gist_new(im_gist *out, imsat_image image, bool color, const char *subject,
                         imsat_error *err);
void im_gist_clear(im_gist *gist);

/* Values of a descriptor. */
size_t im_gist_dim(const im_gist *gist);

/* out (count, dim) = the descriptors of rows first .. first + count - 1. Negative values,
 * which have no logarithm, are refused. */
imsat_status im_gist_rows(float *out, const im_gist *gist, const imsat_data *data,
                          size_t first, size_t count, im_pool *pool, imsat_error *err);

#endif
