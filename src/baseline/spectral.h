/* SPDX-License-Identifier: MIT
 *
 * The method spectral: clusters of the graph of nearest neighbors (Shi and Malik, 2000; von
 * Luxburg, 2007), which need not be round, nor have a middle. The rows of the k eigenvectors
 * of the normalized Laplacian of the least values are clustered by k-means.
 *
 * The graph knows no new rows. A new row gets the label of the nearest of some training rows
 * that stand for all (linear/condense.h): a network of one linear layer with a unit for each,
 * read out as the nearest (nn/readout.h). The model holds these rows and no others.
 *
 * The objective is the normalized cut of the labels.
 */
#ifndef IM_BASELINE_SPECTRAL_H
#define IM_BASELINE_SPECTRAL_H

#include "train/method.h"

imsat_status im_spectral_fit(im_fit *fit, imsat_error *err);

#endif
