/* SPDX-License-Identifier: MIT
 * Weight decay is of all parameters: gains and biases of batch normalization count, too. */
#include "objective/decay.h"

#include "support.h"

static void all_parameters_count(void **state)
{
    (void)state;
    imsat_error err;
    im_net net;
    const size_t hidden[1] = {3};
    double square = 0;
    assert_ok(im_net_new(&net, 4, hidden, 1, 2, &err), &err);
    for (size_t i = 0; i < net.nparams; i++) {
        net.params[i] = (im_real)(1 + i);
        square += (double)(1 + i) * (double)(1 + i);
    }
    assert_int_equal(net.nparams, 4 * 3 + 3 + 3 + 3 * 2 + 2);
    assert_near(im_decay_loss(&net, 0.25), 0.125 * square, 1e-9);
    assert_near(im_decay_loss(&net, 0), 0, 0);
    im_net_clear(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_parameters_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
