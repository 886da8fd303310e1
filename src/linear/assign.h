/* SPDX-License-Identifier: MIT
 *
 * The nearest center of every row: the one of the highest score, by products in float, and of
 * equal ones that of the lowest number.
 *
 * Most products can be left out, by the triangle inequality (Hamerly 2010; Ding et al. 2015,
 * "Yinyang k-means"; for up to 32 centers, Elkan 2003). Of each row we keep
 *
 *     upper   how far its center is at most
 *     lower   how far the nearest other center of each slot is at least
 *
 * and as centers move, so do the bounds, as far. While no lower bound is below the upper one
 * the row stays where it is; else the products with the panels in question, and with its own,
 * are computed.
 *
 * How much is left to do, of 20 iterations on the 70,000 rows of MNIST from random rows:
 *
 *     k = 10     a bound for each center 6.7 of 20 passes, one for all (Hamerly) 8.7
 *     k = 1000   a bound for 32 centers near to one another 4.7, for 32 random ones 6.0, one
 *                for all 17.2. Bounds for 8 centers, in panels of 32, would save another
 *                13 %, and be four times as many to move.
 *
 * The result is the same, to the bit, as if all products were computed, since a row is left
 * alone only if no rounding could change the comparison. Let u = 2^-24, h = (d + 16) u,
 * g = h / (1 - h), s = |x| + the largest |c|. A score has an error of at most e = g s^2 / 2 +
 * d 2^-140: d + 1 roundings of the product, those of |c|^2 / 2 and of the difference, and room
 * for |x|^2 and for the bounds' own arithmetic. So if
 *
 *     lower^2 > upper^2 + 4 e
 *
 * then the computed scores are in the order of the true distances.
 */
#ifndef IM_LINEAR_ASSIGN_H
#define IM_LINEAR_ASSIGN_H

#include "core/stage.h"
#include "linear/centers.h"
#include "linear/rows.h"

#include <stdbool.h>

#define IM_ASSIGN_NONE UINT32_MAX /* the column of a row that has not been assigned */

typedef struct im_assign {
    im_rows rows;
    uint32_t *column; /* (n) owned: of the nearest center, in the layout of the centers */
    float *norm;      /* (n) owned: |x|^2 */
    float *upper;     /* (n) owned; NULL: all products are computed */
    float *lower;     /* (n, panels * slots) owned */
    size_t strip;     /* rows that are taken together */
    struct im_assign_lane *lane; /* (threads) owned: what each thread works in */
    void *memory;                /* owned: of the lanes */
} im_assign;

/* bounded false: always compute all products. It is taken for false when the bounds would need
 * too much memory. */
imsat_status im_assign_new(im_assign *out, const im_rows *rows, const im_centers *centers,
                           bool bounded, im_pool *pool, const im_stage *stage,
                           imsat_error *err);
void im_assign_clear(im_assign *assign);

/* Forget what is known about all rows, or about row i: before centers that are not the ones of
 * the last pass, moved. */
void im_assign_reset(im_assign *assign, const im_centers *centers);
void im_assign_forget(im_assign *assign, const im_centers *centers, size_t i);

/* Assign all rows. Between two passes, centers may have moved once (im_centers_move). */
imsat_status im_assign_pass(im_assign *assign, const im_centers *centers, im_pool *pool,
                            const im_stage *stage, imsat_error *err);

#endif
