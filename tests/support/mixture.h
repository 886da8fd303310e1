/* SPDX-License-Identifier: MIT
 * Rows of a mixture of normals, for tests of the neighbor search. */
#ifndef TESTS_MIXTURE_H
#define TESTS_MIXTURE_H

#include "linear/frame.h"

typedef struct mixture {
    size_t n, d;
    float *x; /* (n,d) */
    im_block block;
    imsat_data data;
    im_preprocess pre; /* leaves the rows as they are */
    im_frame frame;    /* after mixture_fit() */
    im_pool *pool;     /* after mixture_fit() */
} mixture;

/* Row i is of component i % components; centers are 3 deviations long in each column. */
void mixture_make(mixture *m, size_t n, size_t d, size_t components);

/* A pool, and the frame of the rows as they are now. */
void mixture_fit(mixture *m, int threads);

void mixture_clear(mixture *m);

/* The distance between two rows, in double. */
double mixture_distance(const mixture *m, size_t i, size_t j);

#endif
