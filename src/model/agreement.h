/* SPDX-License-Identifier: MIT
 *
 * How far two sets of hash codes of the same rows agree. Bits of two trainings are not
 * aligned: they may be permuted or complemented without a change of any Hamming distance. So
 * distances are compared: the correlation (Pearson's) of d(a_i,a_j) and d(b_i,b_j) over pairs
 * of rows. It is 1 if both codes see the same neighbors, and about 0 if they have nothing in
 * common.
 */
#ifndef IM_MODEL_AGREEMENT_H
#define IM_MODEL_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

/* a, b (rows,bytes). Over 65536 random pairs, the same for every call: its standard error is
 * below 0.004. 0 where one of the two gives all rows the same code; 1 where both do. */
double im_agreement_codes(const uint8_t *a, const uint8_t *b, size_t rows, size_t bytes);

#endif
