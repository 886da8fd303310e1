/* SPDX-License-Identifier: MIT
 *
 * Weight decay, the regularizer of the RIM methods:  R = rate/2 sum of squared weights.
 * Its gradient, rate W, is added in the backward pass (nn/backward.c). Gains and biases are
 * left alone.
 */
#ifndef IM_OBJECTIVE_DECAY_H
#define IM_OBJECTIVE_DECAY_H

#include "nn/net.h"

double im_decay_loss(const im_net *net, double rate);

#endif
