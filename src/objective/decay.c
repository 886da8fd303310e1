/* SPDX-License-Identifier: MIT
 * See decay.h. */
#include "objective/decay.h"

double im_decay_loss(const im_net *net, double rate)
{
    double sum = 0;
    if (!(rate > 0))
        return 0; /* most methods have none, and need not read all weights for it */
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        for (size_t i = 0; i < layer->out * layer->in; i++)
            sum += (double)layer->w[i] * layer->w[i];
    }
    return rate / 2 * sum;
}
