/* SPDX-License-Identifier: MIT
 *
 * The method spectral-hash (Weiss, Torralba and Fergus, NIPS 2008). Rows are taken as if they
 * filled a box along their principal components, of ranges R_i from the least l_i on. The
 * smoothest functions on a box that are 0 on average and do not depend on each other are its
 * standing waves, the eigenfunctions of the Laplacian,
 *
 *     cos(pi m (v_i - l_i) / R_i)        of eigenvalue (pi m / R_i)^2,   m = 1, 2, ...
 *
 * and the bits are the signs of the slowest of them. A network of one linear layer, whose
 * units are read out as cosines (nn/readout.h). There may be more bits than columns.
 */
#ifndef IM_BASELINE_SPECTRAL_HASH_H
#define IM_BASELINE_SPECTRAL_HASH_H

#include "train/method.h"

imsat_status im_spectral_hash_fit(im_fit *fit, imsat_error *err);

#endif
