/* SPDX-License-Identifier: MIT
 * Weight decay is of the weights alone: gains and biases cost nothing. */
#include "objective/decay.h"

#include "support.h"

static void only_weights_count(void **state)
{
    (void)state;
    imsat_error err;
    im_net net;
    const size_t hidden[1] = {3};
    double square = 0;
    assert_ok(im_net_new(&net, 4, hidden, 1, 2, &err), &err);
    for (size_t i = 0; i < net.nparams; i++)
        net.params[i] = 100;
    for (size_t l = 0; l < net.layers; l++)
        for (size_t i = 0; i < net.layer[l].out * net.layer[l].in; i++) {
            net.layer[l].w[i] = (im_real)(1 + i);
            square += (double)(1 + i) * (double)(1 + i);
        }
    assert_near(im_decay_loss(&net, 0.25), 0.125 * square, 1e-9);
    im_net_clear(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_weights_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
