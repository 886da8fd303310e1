/* SPDX-License-Identifier: MIT
 *
 * Stochastic gradient descent with momentum, as Caffe has it: the rate is in the velocity, so
 * that a rate that falls does not cut short what moves already.
 *
 *     v = momentum v + rate g        w = w - v
 */
#ifndef IM_NN_SGD_H
#define IM_NN_SGD_H

#include "core/real.h"
#include "core/status.h"

typedef struct im_sgd {
    size_t n;
    double rate, momentum; /* of the next update; set by whoever trains */
    im_real *v;            /* (n) owned */
} im_sgd;

imsat_status im_sgd_new(im_sgd *out, size_t n, imsat_error *err);
void im_sgd_clear(im_sgd *sgd);

/* Nothing moves. */
void im_sgd_rest(im_sgd *sgd);

/* Parameters first .. first + count - 1 of w (n); g (count) is their gradient. */
void im_sgd_update(const im_sgd *sgd, im_real *w, const im_real *g, size_t first,
                   size_t count);

#endif
