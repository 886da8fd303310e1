/* SPDX-License-Identifier: MIT
 *
 * An auto-encoder that is taken from a model in place of training one (options.start).
 */
#ifndef IM_MODEL_START_H
#define IM_MODEL_START_H

#include "data/preprocess.h"
#include "nn/net.h"

/* Whether a network is what comes before the centers of an auto-encoder's codes: from rows of
 * dim columns by the hidden layers of the options, ReLUs, to their code. */
bool im_start_fits(const im_net *net, size_t dim, const imsat_options *options);

/* The network before the centers of the model in options->start, which must be of the shape
 * that the options say, and of rows prepared as these are. */
imsat_status im_start_take(im_net *out, const imsat_options *options, const im_preprocess *pre,
                           imsat_error *err);

#endif
