/* SPDX-License-Identifier: MIT
 *
 * See decay.h. The sum runs in lanes: one term after the other, it was 10 % of what a step of
 * deep-rim on sparse rows took of two processors, all of it on one. */
#include "objective/decay.h"

#include "core/lanes.h"

double im_decay_loss(const im_net *net, double rate)
{
    if (!(rate > 0))
        return 0; /* most methods have none, and need not read all weights for it */
    return rate / 2 * im_lanes_sq_deviation(net->params, 0, net->nparams);
}
