/* SPDX-License-Identifier: MIT
 *
 * The gradient of one whole step, of each method, for clusters and for bits, and of the chain
 * that VAT's direction comes from, against signed central differences over every parameter and
 * every input. Once with dense rows, and with sparse ones, without and with a background.
 *
 * A step holds the clean prediction and the perturbation constant; so does the function that
 * is differenced: both are taken from the step under test.
 */
#include "gradcheck.h"

#include "model/check.h"
#include "objective/decay.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"
#include "objective/teaching.h"
#include "train/inputs.h"
#include "train/loop.h"
#include "train/step.h"
#include "train/vat.h"

#include <math.h>
#include <string.h>

/* 3x3 images, pairwise different sizes, more rows than a strip of 16. */
enum { ROWS = 23, D = 9, K = 3, BATCH = 19 };

/* How the rows are given. */
typedef enum rows_form { DENSE, SPARSE, BACKGROUND } rows_form;

typedef struct step_case {
    float x[ROWS * D], radius[ROWS];
    int64_t indptr[ROWS + 1]; /* of sparse rows; two values in three are 0 */
    int32_t indices[ROWS * D];
    double prior[K];
    imsat_data *data;
    imsat_options opt;
    im_preprocess pre;
    im_pool *pool;
    im_trainer t;
    im_real target[2][BATCH * K]; /* the clean prediction, held constant; p and 1 - p */
} step_case;

static int own_augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                       size_t dim, uint64_t seed)
{
    (void)user;
    (void)rows;
    for (size_t i = 0; i < n * dim; i++)
        out[i] = in[i] * 1.1F + 0.01F * (float)(seed % 7);
    return 0;
}

/* x has the elements alone, one after another. */
static void open_sparse(step_case *c, const im_real *values)
{
    imsat_error err;
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = (i * 5) % 3; j < D; j += 3) {
            c->x[count] = (float)values[i * D + j];
            c->indices[count++] = (int32_t)j;
        }
        c->indptr[i + 1] = (int64_t)count;
    }
    assert_ok(imsat_data_csr(&c->data, c->indptr, c->indices, c->x, ROWS, D, &err), &err);
}

static void open_data(step_case *c, rows_form form)
{
    imsat_error err;
    im_real values[ROWS * D];
    fill_random(values, ROWS * D, 21);
    for (size_t i = 0; i < ROWS * D; i++)
        c->x[i] = (float)values[i];
    if (form == DENSE)
        assert_ok(imsat_data_view(&c->data, c->x, ROWS, D, D, &err), &err);
    else
        open_sparse(c, values);
    c->data->image = (imsat_image){3, 3, 1};
}

static void open_case(step_case *c, imsat_task task, const char *method, size_t hidden,
                      rows_form form)
{
    const bool hashes = task == IMSAT_TASK_HASH;
    imsat_error err;
    memset(c, 0, sizeof *c);
    open_data(c, form);
    for (size_t i = 0; i < ROWS; i++)
        c->radius[i] = 0.5F + 0.01F * (float)i;
    c->prior[0] = 0.5, c->prior[1] = 0.3, c->prior[2] = 0.2;
    imsat_options_init_sized(&c->opt, sizeof c->opt, task, method, IMSAT_PRESET_REFERENCE);
    *(hashes ? &c->opt.bits : &c->opt.k) = K;
    c->opt.prior = hashes ? NULL : c->prior;
    c->opt.batch = BATCH;
    c->opt.hidden_count = hidden;
    c->opt.hidden[0] = 6, c->opt.hidden[1] = 5;
    c->opt.init_hidden = c->opt.init_output = 1;
    c->opt.lambda = 0.7, c->opt.mu = 1.3, c->opt.delta = 0;
    c->opt.xi = 0.8;
    c->opt.augment = own_augment;
    c->opt.center = form == BACKGROUND;
    c->opt = im_check_decide(&c->opt, c->data);
    assert_ok(im_preprocess_fit(&c->pre, c->data, &c->opt, NULL, &err), &err);
    assert_ok(im_pool_new(&c->pool, 2, &err), &err);
    const im_fit fit = {.method = im_methods_find(method),
                        .opt = &c->opt,
                        .data = c->data,
                        .pre = &c->pre,
                        .radius = c->radius,
                        .prior = c->prior,
                        .pool = c->pool};
    assert_ok(im_trainer_new(&c->t, &fit, &err), &err);
    assert_true(!c->t.tape.sparse == (form == DENSE));
    assert_true(!c->t.background == (form != BACKGROUND));
    im_trainer_reset(&c->t, 5);
    for (size_t l = 0; l + 1 < c->t.net.layers; l++) /* away from 1 and 0, where terms hide */
        for (size_t u = 0; u < c->t.net.layer[l].out; u++) {
            c->t.net.layer[l].gain[u] = 0.7 + 0.1 * (double)u;
            c->t.net.layer[l].bias[u] = 0.2 - 0.05 * (double)u;
        }
    im_batch_draw(&c->t.batch, c->t.seed, 0, 0);
}

static void close_case(step_case *c)
{
    im_trainer_clear(&c->t);
    im_pool_free(c->pool);
    im_preprocess_clear(&c->pre);
    imsat_data_free(c->data);
}

/* Keep the clean prediction of the step. */
static void hold_target(step_case *c)
{
    const im_trainer *t = &c->t;
    const size_t size = t->batch.n * K * sizeof(im_real);
    if (c->opt.task == IMSAT_TASK_HASH) {
        memcpy(c->target[0], t->bits.p[0].one, size);
        memcpy(c->target[1], t->bits.p[0].zero, size);
    } else {
        memcpy(c->target[0], t->clusters.p[0], size);
    }
}

/* R_SAT of a branch against the target. */
static double branch_sat(step_case *c, size_t branch)
{
    im_trainer *t = &c->t;
    const im_bit_proba target = {c->target[0], c->target[1]};
    if (c->opt.task == IMSAT_TASK_HASH)
        return im_bit_sat_sum(target, t->bits.p[branch], t->batch.n * K) / (double)t->batch.n;
    return im_sat_loss(c->target[0], t->clusters.p[branch], t->batch.n, K);
}

/* What the marginal m is drawn to: the prior as it is; or equal sizes, and then the prior by
 * size. */
static const double *prior_of(const step_case *c, const double *m)
{
    static const double even[K] = {1.0 / K, 1.0 / K, 1.0 / K};
    static double matched[K];
    if (!(c->opt.even_start > 0))
        return c->prior;
    for (size_t j = 0; j < K; j++) {
        size_t rank = 0;
        for (size_t i = 0; i < K; i++)
            rank += m[i] > m[j];
        matched[j] = c->prior[rank]; /* it is in the order of its size */
    }
    return c->t.sizes == IM_SIZES_ASKED ? matched : even;
}

/* The information terms of the clean batch. */
static void information(step_case *c, im_terms *terms)
{
    im_trainer *t = &c->t;
    double m[K];
    if (c->opt.task == IMSAT_TASK_HASH) {
        im_bit_info_measure(&t->bits.info, t->bits.p[0], t->batch.n);
        const im_bit_terms bits = im_bit_info_terms(&t->bits.info, t->batch.n);
        terms->term[IMSAT_TERM_COND_ENTROPY] = bits.cond_entropy;
        terms->term[IMSAT_TERM_MARG_ENTROPY] = bits.marg_entropy;
        terms->term[IMSAT_TERM_PAIR_INFO] = bits.pair_info;
        return;
    }
    terms->term[IMSAT_TERM_COND_ENTROPY] =
        im_cond_entropy_loss(t->clusters.p[0], t->batch.n, K);
    terms->teaching = t->teacher != NULL;
    if (t->teacher)
        terms->taught =
            im_teaching_loss(t->clusters.p[0], t->teacher, t->batch.rows, t->batch.n, K);
    double counts[BATCH];
    for (size_t i = 0; i < t->batch.n; i++)
        counts[i] = im_row_weights_at(&t->weights, (double)t->radius[t->batch.rows[i]]);
    im_marginal(m, t->clusters.p[0], t->sizes == IM_SIZES_EVEN ? counts : NULL, t->batch.n, K);
    terms->term[IMSAT_TERM_MARGINAL_KL] = im_prior_kl_loss(m, prior_of(c, m), K);
}

/* The objective of the batch and the augmented batches that are in the tape. */
static double objective(void *context)
{
    step_case *c = context;
    im_trainer *t = &c->t;
    im_terms terms = {0};
    im_trainer_predict(t, 0, IM_BN_BATCH);
    information(c, &terms);
    for (size_t r = 1; r < t->tape.branches; r++) {
        im_trainer_predict(t, r, IM_BN_BATCH);
        terms.term[IMSAT_TERM_SAT] += t->recipe->weight[t->branch_kind[r]] * branch_sat(c, r);
    }
    terms.term[IMSAT_TERM_DECAY] = im_decay_loss(&t->net, c->opt.decay);
    return t->head->objective(t, &terms);
}

static void check_step(imsat_task task, const char *method, size_t hidden, rows_form form)
{
    step_case c;
    im_terms terms;
    imsat_error err;
    open_case(&c, task, method, hidden, form);
    assert_ok(im_step_grad(&c.t, 3, &terms, &err), &err);
    hold_target(&c);
    const size_t n = c.t.net.nparams;
    im_real *grad = test_malloc(n * sizeof *grad);
    memcpy(grad, c.t.tape.grad, n * sizeof *grad);
    assert_near(terms.objective, objective(&c), 1e-12);
    assert_gradient(method, objective, &c, c.t.net.params, grad, n);
    test_free(grad);
    close_case(&c);
}

static void check_methods(imsat_task task, rows_form form)
{
    for (size_t i = 0; imsat_method_name(i); i++) {
        const im_method *method = im_methods_find(imsat_method_name(i));
        const size_t deepest = method->uses & IM_USES_HIDDEN ? 2 : 0;
        if (method->fit != im_loop_fit || !imsat_method_serves(method->name, task))
            continue;
        for (size_t hidden = 0; hidden <= deepest; hidden++)
            check_step(task, method->name, hidden, form);
    }
}

static void test_every_method(void **state)
{
    (void)state;
    check_methods(IMSAT_TASK_CLUSTER, DENSE);
    check_methods(IMSAT_TASK_HASH, DENSE);
}

static void test_sparse_rows(void **state)
{
    (void)state;
    check_methods(IMSAT_TASK_CLUSTER, SPARSE);
    check_methods(IMSAT_TASK_CLUSTER, BACKGROUND);
    check_methods(IMSAT_TASK_HASH, SPARSE);
    check_methods(IMSAT_TASK_HASH, BACKGROUND);
}

/* Inside the hinge only the conditional entropy pulls. */
static void test_hinge(void **state)
{
    (void)state;
    step_case c;
    im_terms terms;
    imsat_error err;
    open_case(&c, IMSAT_TASK_CLUSTER, "deep-rim", 1, DENSE);
    c.opt.delta = 1e3;
    assert_ok(im_step_grad(&c.t, 3, &terms, &err), &err);
    assert_near(terms.objective,
                terms.term[IMSAT_TERM_DECAY] +
                    c.opt.lambda * terms.term[IMSAT_TERM_COND_ENTROPY],
                1e-12);
    im_real grad[512];
    assert_true(c.t.net.nparams <= 512);
    memcpy(grad, c.t.tape.grad, c.t.net.nparams * sizeof *grad);
    assert_gradient("hinge", objective, &c, c.t.net.params, grad, c.t.net.nparams);
    close_case(&c);
}

/* The gradient of a step in the even start, and after it: to equal sizes with the weight mu
 * and no tolerance, rows counting by their radius; to be as even as the prior; then to the
 * prior by size with five times the weight. */
static void check_start(im_sizes sizes)
{
    static const char *const name[] = {"after it", "even start", "loose"};
    step_case c;
    im_terms terms;
    imsat_error err;
    im_real grad[512];
    open_case(&c, IMSAT_TASK_CLUSTER, "deep-rim", 1, DENSE);
    c.opt.even_start = 0.5;
    c.opt.delta = 1e-4;
    c.t.sizes = sizes;
    c.t.weights = im_row_weights_of(c.radius, ROWS, 5);
    im_real *bias = c.t.net.layer[1].bias; /* so that the last cluster is the largest */
    bias[0] = -0.4, bias[1] = 0.1, bias[2] = sizes == IM_SIZES_LOOSE ? 2.9 : 0.9;
    const double loose = log(3) + 0.5 * log(0.5) + 0.3 * log(0.3) + 0.2 * log(0.2);
    assert_ok(im_step_grad(&c.t, 3, &terms, &err), &err);
    const double kl = terms.term[IMSAT_TERM_MARGINAL_KL];
    const double penalty[] = {5 * c.opt.mu * (kl - c.opt.delta), c.opt.mu * kl,
                              c.opt.mu * (kl - loose)};
    assert_true(kl > (sizes == IM_SIZES_LOOSE ? loose + 0.01 : 0.01));
    assert_near(terms.objective,
                terms.term[IMSAT_TERM_DECAY] +
                    c.opt.lambda * terms.term[IMSAT_TERM_COND_ENTROPY] + penalty[sizes],
                1e-7);
    assert_true(c.t.net.nparams <= 512);
    memcpy(grad, c.t.tape.grad, c.t.net.nparams * sizeof *grad);
    assert_gradient(name[sizes], objective, &c, c.t.net.params, grad, c.t.net.nparams);
    close_case(&c);
}

static void test_even_start(void **state)
{
    (void)state;
    check_start(IM_SIZES_EVEN);
    check_start(IM_SIZES_LOOSE);
    check_start(IM_SIZES_ASKED);
}

/* A step that is taught labels, of two rows in three, beside R_SAT. */
static void test_teacher(void **state)
{
    (void)state;
    step_case c;
    im_terms terms;
    imsat_error err;
    int32_t teacher[ROWS];
    im_real grad[512];
    open_case(&c, IMSAT_TASK_CLUSTER, "imsat-rpt", 1, DENSE);
    for (size_t i = 0; i < ROWS; i++)
        teacher[i] = i % 3 ? (int32_t)(i % 5 % K) : -1;
    c.t.teacher = teacher;
    assert_ok(im_step_grad(&c.t, 3, &terms, &err), &err);
    hold_target(&c);
    assert_true(terms.taught > 0.1 && terms.term[IMSAT_TERM_SAT] > 0);
    assert_near(terms.objective, terms.taught + terms.term[IMSAT_TERM_SAT], 1e-12);
    assert_near(terms.objective, objective(&c), 1e-12);
    assert_true(c.t.net.nparams <= 512);
    memcpy(grad, c.t.tape.grad, c.t.net.nparams * sizeof *grad);
    assert_gradient("teacher", objective, &c, c.t.net.params, grad, c.t.net.nparams);
    close_case(&c);
}

typedef struct chain_case {
    step_case *c;
    im_bn_mode mode;
} chain_case;

/* KL(p(x) || p(probe)) of whatever is in branch 1. */
static double divergence(void *context)
{
    const chain_case *chain = context;
    im_trainer *t = &chain->c->t;
    im_trainer_predict(t, 1, chain->mode);
    return t->head->sat(t, 1);
}

/* The gradient to the input: the chain VAT follows. */
static void check_chain(imsat_task task, im_bn_mode mode, size_t hidden)
{
    step_case c;
    chain_case chain = {&c, mode};
    open_case(&c, task, "imsat-vat", hidden, DENSE);
    im_trainer *t = &c.t;
    im_inputs_clean(t);
    im_trainer_predict(t, 0, mode);
    im_vat_perturb_random(t, 1, (im_rng){5, IM_STREAM_AUGMENT, 0, 1});
    divergence(&chain);
    t->head->sat_grad(t, 1, 1);
    im_tape_backward_input(&t->tape, 1);
    for (size_t j = 0; j < D; j++)
        assert_gradient("VAT's chain", divergence, &chain,
                        im_tape_input(&t->tape, 1, 0) + j * IM_GEMM_NR,
                        t->tape.dx + j * t->tape.dx_ld, t->batch.n);
    close_case(&c);
}

static void test_vat_chain(void **state)
{
    (void)state;
    for (size_t hidden = 0; hidden <= 2; hidden++) {
        check_chain(IMSAT_TASK_CLUSTER, IM_BN_BATCH, hidden);
        check_chain(IMSAT_TASK_CLUSTER, IM_BN_INFER, hidden);
        check_chain(IMSAT_TASK_HASH, IM_BN_BATCH, hidden);
        check_chain(IMSAT_TASK_HASH, IM_BN_INFER, hidden);
    }
}

/* r has length alpha sigma_t(x), follows the gradient, and is worse than a random one. */
static void test_vat_direction(void **state)
{
    (void)state;
    step_case c;
    chain_case chain = {&c, IM_BN_BATCH};
    open_case(&c, IMSAT_TASK_CLUSTER, "imsat-vat", 2, DENSE);
    im_trainer *t = &c.t;
    const im_rng rng = {5, IM_STREAM_AUGMENT, 0, 1};
    im_inputs_clean(t);
    im_trainer_predict(t, 0, IM_BN_BATCH);
    im_vat_perturb_random(t, 1, rng);
    const double random = divergence(&chain);
    c.opt.power = 4;
    assert_int_equal(im_vat_perturb(t, 1, IM_BN_BATCH, rng, NULL, NULL), IMSAT_OK);
    const im_real *x = im_tape_input(&t->tape, 0, 0), *adv = im_tape_input(&t->tape, 1, 0);
    for (size_t i = 0; i < t->batch.n; i++) {
        double square = 0, uphill = 0;
        for (size_t j = 0; j < D; j++) {
            const double r = adv[j * IM_GEMM_NR + i] - x[j * IM_GEMM_NR + i];
            square += r * r;
            uphill += r * t->tape.dx[j * t->tape.dx_ld + i];
        }
        assert_near(sqrt(square), c.opt.alpha * (double)c.radius[t->batch.rows[i]], 1e-9);
        if (!(uphill > 0))
            fail_msg("row %zu goes against the gradient: %g", i, uphill);
    }
    assert_true(divergence(&chain) > random);
    close_case(&c);
}

/* A constant network has a zero gradient: r is 0, not NaN. */
static void check_zero_gradient(imsat_task task)
{
    step_case c;
    im_terms terms;
    imsat_error err;
    open_case(&c, task, "imsat-vat", 1, DENSE);
    memset(c.t.net.params, 0, c.t.net.nparams * sizeof *c.t.net.params);
    assert_ok(im_step_grad(&c.t, 0, &terms, &err), &err);
    const im_real *x = im_tape_input(&c.t.tape, 0, 0), *adv = im_tape_input(&c.t.tape, 1, 0);
    for (size_t j = 0; j < D; j++)
        for (size_t i = 0; i < c.t.batch.n; i++)
            assert_true(adv[j * IM_GEMM_NR + i] - x[j * IM_GEMM_NR + i] == 0);
    assert_true(isfinite(terms.objective));
    close_case(&c);
}

static void test_zero_gradient(void **state)
{
    (void)state;
    check_zero_gradient(IMSAT_TASK_CLUSTER);
    check_zero_gradient(IMSAT_TASK_HASH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),  cmocka_unit_test(test_sparse_rows),
        cmocka_unit_test(test_hinge),         cmocka_unit_test(test_even_start),
        cmocka_unit_test(test_teacher),       cmocka_unit_test(test_vat_chain),
        cmocka_unit_test(test_vat_direction), cmocka_unit_test(test_zero_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
