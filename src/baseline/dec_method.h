/* SPDX-License-Identifier: MIT
 *
 * The method dec: deep embedded clustering (baseline/dec.h) from an auto-encoder that the runs
 * share (baseline/autoencoder.h), or that a model of dae-kmeans or dec has. The objective of a
 * run is KL[P || Q] by row, at its end.
 */
#ifndef IM_BASELINE_DEC_METHOD_H
#define IM_BASELINE_DEC_METHOD_H

#include "train/method.h"

imsat_status im_dec_method_fit(im_fit *fit, imsat_error *err);

#endif
