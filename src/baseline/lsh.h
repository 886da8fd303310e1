/* SPDX-License-Identifier: MIT
 *
 * The method lsh: locality-sensitive hashing by random hyperplanes (Charikar, STOC 2002). Bit
 * b of a row is on which side of a plane through the mean of the rows it is,
 *
 *     w_b . (x - mean) > 0        w_b standard normals
 *
 * so that a bit differs between two rows with a probability of the angle between them, seen
 * from the mean, over pi. Nothing is learned but the mean: codes of any length, without a look
 * at how the rows vary.
 */
#ifndef IM_BASELINE_LSH_H
#define IM_BASELINE_LSH_H

#include "train/method.h"

imsat_status im_lsh_fit(im_fit *fit, imsat_error *err);

#endif
