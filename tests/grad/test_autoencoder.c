/* SPDX-License-Identifier: MIT
 *
 * The gradients of the networks that are not normalized, against signed central differences
 * over every parameter: the pairs of layers of an auto-encoder with what is dropped held, all
 * its layers, and DEC with its target held, also over the centers, and deep hashing.
 */
#include "gradcheck.h"

#include "baseline/autoencoder.h"
#include "baseline/dec.h"
#include "baseline/deep_hash.h"
#include "model/check.h"

#include <stdio.h>
#include <string.h>

/* Pairwise different sizes, more rows than a strip of 16. */
enum { ROWS = 29, D = 7, K = 3, BATCH = 21, CODE = 4, LAYERS = 3 };

typedef struct net_case {
    float x[ROWS * D];
    imsat_data *data;
    imsat_options opt;
    im_preprocess pre;
    im_run run;
    im_net shared;
    im_fit fit;
} net_case;

static void open_case(net_case *c, imsat_task task, const char *method)
{
    imsat_error err;
    im_real values[ROWS * D];
    im_pool *pool;
    memset(c, 0, sizeof *c);
    fill_random(values, ROWS * D, 31);
    for (size_t i = 0; i < ROWS * D; i++)
        c->x[i] = (float)values[i];
    assert_ok(imsat_data_view(&c->data, c->x, ROWS, D, D, &err), &err);
    imsat_options_init_sized(&c->opt, sizeof c->opt, task, method,
                             IMSAT_PRESET_PAPER); /* drops of the input, too */
    *(task == IMSAT_TASK_HASH ? &c->opt.bits : &c->opt.k) = K;
    c->opt.batch = BATCH;
    c->opt.epochs = 2;
    c->opt.code = CODE;
    c->opt.hidden_count = 2;
    c->opt.hidden[0] = 6, c->opt.hidden[1] = 5;
    c->opt.dropout = 0.3;
    c->opt = im_check_decide(&c->opt, c->data);
    assert_ok(im_preprocess_fit(&c->pre, c->data, &c->opt, NULL, &err), &err);
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    c->fit = (im_fit){.method = im_methods_find(method),
                      .opt = &c->opt,
                      .data = c->data,
                      .pre = &c->pre,
                      .pool = pool,
                      .seed = 5,
                      .run = &c->run,
                      .shared = &c->shared};
}

static void close_case(net_case *c)
{
    im_net_clear(&c->shared);
    im_pool_free(c->fit.pool);
    im_preprocess_clear(&c->pre);
    imsat_data_free(c->data);
}

/* Weights large enough that every unit matters, and biases away from 0. */
static void stir(im_net *net, uint64_t seed)
{
    fill_random(net->params, net->nparams, seed);
}

typedef struct stage_case {
    im_autoencoder ae;
    im_net *net;
} stage_case;

static double stage_loss(void *context)
{
    stage_case *s = context;
    return im_autoencoder_step(&s->ae, 3, false);
}

static void test_stages(void **state)
{
    (void)state;
    static net_case c;
    stage_case s;
    imsat_error err;
    open_case(&c, IMSAT_TASK_CLUSTER, "dae-kmeans");
    assert_ok(im_autoencoder_new(&s.ae, &c.fit, &err), &err);
    assert_int_equal(s.ae.layers, LAYERS);
    while (s.ae.stage <= LAYERS) {
        im_real grad[512];
        char what[40];
        const bool pair = s.ae.stage < LAYERS;
        assert_ok(im_autoencoder_open_stage(&s.ae, &err), &err);
        s.net = pair ? &s.ae.pair : &s.ae.whole;
        stir(s.net, s.ae.stage + 1);
        assert_true(stage_loss(&s) > 0 && s.net->nparams <= 512);
        memcpy(grad, (pair ? s.ae.small : s.ae.tape).grad, s.net->nparams * sizeof *grad);
        snprintf(what, sizeof what, "auto-encoder, stage %zu", s.ae.stage);
        assert_gradient(what, stage_loss, &s, s.net->params, grad, s.net->nparams);
        im_autoencoder_close_stage(&s.ae);
    }
    im_autoencoder_clear(&s.ae);
    close_case(&c);
}

static double dec_loss(void *context)
{
    return im_dec_step(context, false);
}

static void test_dec(void **state)
{
    (void)state;
    static net_case c;
    im_dec dec;
    imsat_error err;
    im_real grad[512], dc[K * CODE];
    const size_t hidden[2] = {6, 5};
    const im_form forms[2] = {IM_FORM_RELU, IM_FORM_TANH}; /* which no method has so */
    const im_stage still = {.work = "testing", .end = 1};
    size_t changed;
    open_case(&c, IMSAT_TASK_CLUSTER, "dec");
    assert_ok(im_net_new_forms(&c.shared, D, hidden, forms, 2, CODE, &err), &err);
    stir(&c.shared, 7);
    assert_ok(im_dec_new(&dec, &c.fit, &err), &err);
    fill_random(dec.e.centers, K * CODE, 9);
    assert_ok(im_dec_aim(&dec, &changed, &still, &err), &err);
    assert_int_equal(changed, ROWS);
    assert_true(dec.kl > 0 && dec_loss(&dec) > 0 && dec.e.net.nparams <= 512);
    memcpy(grad, dec.e.tape.grad, dec.e.net.nparams * sizeof *grad);
    memcpy(dc, dec.dc, sizeof dc);
    assert_gradient("dec", dec_loss, &dec, dec.e.net.params, grad, dec.e.net.nparams);
    assert_gradient("dec, centers", dec_loss, &dec, dec.e.centers, dc, K * CODE);
    im_dec_clear(&dec);
    close_case(&c);
}

static double hash_loss(void *context)
{
    return im_deep_hash_grad(context, 3);
}

static void test_deep_hash(void **state)
{
    (void)state;
    static net_case c;
    im_deep_hash hash;
    imsat_error err;
    im_real grad[512];
    const im_stage still = {.work = "testing", .end = 1};
    open_case(&c, IMSAT_TASK_HASH, "deep-hash");
    assert_ok(im_deep_hash_new(&hash, &c.fit, &still, &err), &err);
    stir(&hash.net, 11);
    const double loss = hash_loss(&hash);
    assert_true(loss > 0 && hash.net.nparams <= 512);
    memcpy(grad, hash.tape.grad, hash.net.nparams * sizeof *grad);
    assert_gradient("deep hashing", hash_loss, &hash, hash.net.params, grad, hash.net.nparams);
    im_deep_hash_clear(&hash);
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_dec),
        cmocka_unit_test(test_deep_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
