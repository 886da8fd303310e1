/* SPDX-License-Identifier: MIT
 *
 * The sigmoid of each output, for hash codes:
 *
 *     p = 1 / (1 + exp(-z)),   q = 1 / (1 + exp(z)) = 1 - p
 *
 * Both are computed, each to full relative precision: 1 - p of a rounded p near 1 has none,
 * and a bit must be treated as its complement is. Backward: dz = p q dp.
 *
 * A code has bit d set where p_d, as it is handed out, is above 0.5 (so where z is above 0,
 * but for z so small that p is 0.5 when rounded). Bit 0 is the most significant one of the
 * first byte; the bits behind the last are 0 (imsat/search.h).
 */
#ifndef IM_NN_SIGMOID_H
#define IM_NN_SIGMOID_H

#include "core/real.h"

#include <stddef.h>
#include <stdint.h>

/* n outputs, one unit over a batch; q may be NULL. */
void im_sigmoid_forward(im_real *p, im_real *q, const im_real *z, size_t n);

/* p (n,k) of z (k,ldz): the same numbers, laid out as im_softmax_forward() does. */
void im_sigmoid_rows(im_real *p, const im_real *z, size_t ldz, size_t n, size_t k);

/* The code of a row, imsat_code_bytes(bits) bytes, of probabilities `stride` apart. */
void im_sigmoid_pack(uint8_t *code, const im_real *p, size_t stride, size_t bits);

#endif
