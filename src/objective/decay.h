/* SPDX-License-Identifier: MIT
 *
 * Weight decay, the regularizer of the RIM methods:  R = rate/2 sum of squared parameters.
 * Its gradient, rate w, is added in the backward pass (nn/backward.c). Gains and biases of
 * batch normalization are among them, as with a hook on the optimizer of Chainer: of a layer
 * that is normalized, smaller weights compute the same, and only smaller gains and biases do
 * less.
 */
#ifndef IM_OBJECTIVE_DECAY_H
#define IM_OBJECTIVE_DECAY_H

#include "nn/net.h"

double im_decay_loss(const im_net *net, double rate);

#endif
