/* SPDX-License-Identifier: MIT
 * The network's memory: layers tile it, initial weights have their deviation, copies are
 * equal. */
#include "nn/net.h"

#include "core/flush.h"
#include "failing_alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { DIM = 300, OUTPUTS = 5 };

static const size_t HIDDEN[2] = {40, 30};

static im_net make(void)
{
    imsat_error err;
    im_net net;
    assert_ok(im_net_new(&net, DIM, HIDDEN, 2, OUTPUTS, &err), &err);
    return net;
}

static void layers_tile_the_memory(void **state)
{
    (void)state;
    im_net net = make();
    const im_real *next = net.params, *running = net.running;
    for (size_t l = 0; l < net.layers; l++) {
        const im_layer *layer = &net.layer[l];
        assert_ptr_equal(layer->w, next);
        assert_ptr_equal(layer->bias, layer->w + layer->out * layer->in);
        next = layer->bias + layer->out;
        if (!layer->hidden)
            continue;
        assert_ptr_equal(layer->gain, next);
        assert_ptr_equal(layer->mean, running);
        assert_ptr_equal(layer->var, running + layer->out);
        next += layer->out;
        running += 2 * layer->out;
    }
    assert_ptr_equal(next, net.params + net.nparams);
    assert_ptr_equal(running, net.running + net.nrunning);
    assert_int_equal(net.nparams, 40 * 302 + 30 * 42 + 5 * 31);
    assert_null(net.layer[2].gain);
    im_net_clear(&net);
    assert_null(net.params);
}

/* The mean square of a layer's weights, within four of its own deviations. */
static void assert_deviation(const im_layer *layer, double scale)
{
    const size_t n = layer->out * layer->in;
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (double)layer->w[i] * (double)layer->w[i];
    const double expected = scale * scale / (double)layer->in;
    assert_near(square / (double)n, expected, 4 * sqrt(2 / (double)n) * expected);
}

static void initial_weights_have_their_deviation(void **state)
{
    (void)state;
    im_net net = make(), other = make();
    im_net_init(&net, 0.5, 2, 7);
    assert_deviation(&net.layer[0], 0.5);
    assert_deviation(&net.layer[1], 0.5);
    assert_deviation(&net.layer[2], 2);
    for (size_t u = 0; u < 40; u++)
        assert_true(net.layer[0].gain[u] == 1 && net.layer[0].var[u] == 1 &&
                    net.layer[0].bias[u] == 0 && net.layer[0].mean[u] == 0);
    im_net_init(&other, 0.5, 2, 8);
    assert_int_not_equal(memcmp(net.params, other.params, net.nparams * sizeof(im_real)), 0);
    net.layer[1].mean[3] = 9;
    im_net_copy(&other, &net);
    assert_memory_equal(other.params, net.params, net.nparams * sizeof(im_real));
    assert_memory_equal(other.running, net.running, net.nrunning * sizeof(im_real));
    im_net_clear(&net);
    im_net_clear(&other);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    im_net net = {0};
    const imsat_status st = im_net_new(&net, DIM, HIDDEN, 2, OUTPUTS, err);
    im_net_clear(&net);
    return st;
}

static void too_large_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_net net;
    const size_t huge[1] = {SIZE_MAX / 16};
    assert_refused(im_net_new(&net, DIM, huge, 1, OUTPUTS, &err), &err, IMSAT_EINVAL,
                   "layer 1 of ");
    assert_int_equal(fail_each(attempt, NULL), 2);
}

static void faults_are_found(void **state)
{
    (void)state;
    im_net net = make();
    im_net_fault fault;
    im_net_init(&net, 1, 1, 5);
    assert_false(im_net_find_fault(&fault, &net) || im_net_find_running_fault(&fault, &net));
    const struct {
        im_real *at, value;
        const char *tensor;
        size_t element;
        bool running;
    } cases[] = {
        {net.layer[0].w + 40 * 300 - 1, (im_real)NAN, "layer.0.weight", 40 * 300 - 1, false},
        {net.layer[1].gain + 2, (im_real)INFINITY, "layer.1.gain", 2, false},
        {net.layer[2].bias, -(im_real)INFINITY, "layer.2.bias", 0, false},
        {net.layer[1].mean + 29, (im_real)NAN, "layer.1.mean", 29, true},
        {net.layer[0].var + 7, (im_real)-1e-30, "layer.0.var", 7, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const im_real before = *cases[i].at;
        *cases[i].at = cases[i].value;
        assert_true(im_net_find_fault(&fault, &net));
        assert_string_equal(fault.tensor, cases[i].tensor);
        assert_int_equal(fault.element, cases[i].element);
        assert_int_equal(im_net_find_running_fault(&fault, &net), cases[i].running);
        *cases[i].at = before;
    }
    /* What is zero in training is so elsewhere, too. */
    net.layer[0].var[3] = (im_real)-1e-39;
    assert_false(im_net_find_fault(&fault, &net));
    const im_flush before = im_flush_begin();
    assert_false(im_net_find_fault(&fault, &net));
    im_flush_end(before);
    im_net_clear(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_tile_the_memory),
        cmocka_unit_test(initial_weights_have_their_deviation),
        cmocka_unit_test(too_large_is_refused),
        cmocka_unit_test(faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
