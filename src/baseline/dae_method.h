/* SPDX-License-Identifier: MIT
 *
 * The method dae-kmeans: k-means on the code of a stacked denoising auto-encoder
 * (baseline/autoencoder.h), as Xie et al. (2016) compare theirs with. The runs of a call share
 * the auto-encoder, and differ in where k-means starts. The objective of a run is the inertia
 * of the codes; its probabilities are Student's (nn/student.h), and its label is the nearest
 * center.
 */
#ifndef IM_BASELINE_DAE_METHOD_H
#define IM_BASELINE_DAE_METHOD_H

#include "train/method.h"

imsat_status im_dae_method_fit(im_fit *fit, imsat_error *err);

#endif
