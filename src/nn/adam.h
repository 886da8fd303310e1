/* SPDX-License-Identifier: MIT
 *
 * Adam (Kingma and Ba, 2015), in the form of the authors' framework:
 *
 *     m = b1 m + (1 - b1) g      v = b2 v + (1 - b2) g^2
 *     w = w - rate_t m / (sqrt(v) + eps),   rate_t = rate sqrt(1 - b2^t) / (1 - b1^t)
 */
#ifndef IM_NN_ADAM_H
#define IM_NN_ADAM_H

#include "core/real.h"
#include "core/status.h"

#define IM_ADAM_BETA1   0.9
#define IM_ADAM_BETA2   0.999
#define IM_ADAM_EPSILON 1e-8

typedef struct im_adam {
    im_real *m, *v; /* (n) owned */
    size_t n;
    uint64_t t;    /* steps taken */
    double rate;   /* step size */
    double rate_t; /* of the step under way */
} im_adam;

imsat_status im_adam_new(im_adam *out, size_t n, double rate, imsat_error *err);
void im_adam_clear(im_adam *adam);

/* Begin step t + 1; then im_adam_update() any ranges, from any threads, each once. */
void im_adam_begin(im_adam *adam);

/* w[first .. first + count) by its gradient g (count). w: the whole array. */
void im_adam_update(const im_adam *adam, im_real *w, const im_real *g, size_t first,
                    size_t count);

#endif
